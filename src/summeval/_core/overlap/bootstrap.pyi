import numpy as np
from numpy.typing import NDArray

def resample_sums(
    values: NDArray[np.float64], samples: int, workers: int = 1
) -> NDArray[np.float64]: ...
