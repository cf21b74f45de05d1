// spaCy's English tokenizer.
#pragma once
#include <string_view>
#include <vector>

#include "parsing/model.hpp"
#include "parsing/token.hpp"

namespace summeval::parsing {

// What a call of the tokenizer may write to; one for each thread. Strings of tokens may lie in it,
// so they live until the next call with the same room.
struct TokenizerRoom;

class Tokenizer {
  public:
    // Reads the sections "characters", "tokens" and "norms"; std::invalid_argument if one is damaged.
    explicit Tokenizer(const Sections& sections);

    // Replaces `out` by the tokens of a line (one document of spaCy's). Bytes that are no UTF-8 are
    // read as U+FFFD, each by itself.
    void tokenize(std::string_view line, TokenizerRoom& room, std::vector<Token>& out) const;

    TokenIds ids(const Token& token) const;
};

}  // namespace summeval::parsing
