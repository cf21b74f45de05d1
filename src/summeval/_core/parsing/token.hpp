// A token, as the tokenizer hands it to the networks.
#pragma once
#include <cstdint>
#include <string_view>

namespace summeval::parsing {

struct Token {
    std::string_view form;  // UTF-8, inside the line
    std::string_view norm;  // as spaCy's NORM; lives as long as the model or the tokenizer's line
    bool blank_follows;
};

}  // namespace summeval::parsing
