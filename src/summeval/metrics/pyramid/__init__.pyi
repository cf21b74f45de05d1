"""The names of the package, once: for type checkers, and for what imports them when used."""

from summeval.metrics.pyramid.files import Annotation as Annotation
from summeval.metrics.pyramid.files import Contributor as Contributor
from summeval.metrics.pyramid.files import Pair as Pair
from summeval.metrics.pyramid.files import Part as Part
from summeval.metrics.pyramid.files import Pyramid as Pyramid
from summeval.metrics.pyramid.files import PyramidFileError as PyramidFileError
from summeval.metrics.pyramid.files import Scu as Scu
from summeval.metrics.pyramid.files import pairs as pairs
from summeval.metrics.pyramid.files import presence as presence
from summeval.metrics.pyramid.files import pyramid_files as pyramid_files
from summeval.metrics.pyramid.files import read_pan as read_pan
from summeval.metrics.pyramid.files import read_pyr as read_pyr
from summeval.metrics.pyramid.lite import LitePyramid as LitePyramid
from summeval.metrics.pyramid.position import PositionPyramid as PositionPyramid
from summeval.metrics.pyramid.ranker import ExtractRanker as ExtractRanker
from summeval.metrics.pyramid.ranker import select as select
from summeval.metrics.pyramid.scores import ducview_score as ducview_score
from summeval.metrics.pyramid.scores import jackknife as jackknife
from summeval.metrics.pyramid.scores import modified_score as modified_score
from summeval.metrics.pyramid.scores import normalised_acu as normalised_acu
from summeval.metrics.pyramid.scores import original_score as original_score
from summeval.metrics.pyramid.scores import unit_score as unit_score
