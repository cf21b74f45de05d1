from summeval.learn.label_chain import LabelChain as LabelChain
from summeval.learn.svm import RankSVM as RankSVM
from summeval.learn.svm import SVMLightRegressor as SVMLightRegressor
