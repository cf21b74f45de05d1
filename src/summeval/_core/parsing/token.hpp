// A token, as the tokenizer hands it to the networks.
#pragma once
#include <cstdint>
#include <string_view>

namespace summeval::parsing {

struct Token {
    std::string_view form;  // UTF-8, inside the line; inside the room if the line is no UTF-8
    std::string_view norm;  // as spaCy's NORM; lives as long as the tables and the line's room
    uint32_t start, end;    // characters of the line
    bool blank_follows;
    bool is_space;
};

// The other attributes that the networks read, and NORM, as spaCy's numbers of strings (`StringIds`
// of string_ids.hpp).
struct TokenIds {
    uint64_t norm, prefix, suffix, shape;
};

}  // namespace summeval::parsing
