from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.unordered_set cimport unordered_set


cdef extern from "text/analysis.hpp" namespace "summeval" nogil:
    cdef cppclass CppAnalyzer "summeval::Analyzer":
        int tokenizer, stemmer
        int64_t unstemmed, looked_up, max_words, max_bytes
        cbool fold, flags_functions
        shared_ptr[unordered_map[string, string]] exceptions
        unordered_set[string] stopwords, function_words


cdef class Exceptions:
    cdef shared_ptr[unordered_map[string, string]] table


cdef class Analyzer:
    cdef CppAnalyzer cpp
