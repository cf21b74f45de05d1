from summeval.learn.encoders.entailment import Entailed as Entailed
from summeval.learn.encoders.entailment import Entailment as Entailment
from summeval.learn.encoders.pair_model import PairModel as PairModel
from summeval.learn.encoders.transformer import Transformer as Transformer
from summeval.learn.encoders.transformer import WordsInContext as WordsInContext
