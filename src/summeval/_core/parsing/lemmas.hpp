// spaCy's attribute ruler and rule lemmatizer for English: the lemma of a token by its tag, its
// label and its neighbours.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsing/model.hpp"
#include "parsing/token.hpp"

namespace summeval::parsing {

struct LemmaRoom;  // as TokenizerRoom

class Lemmatizer {
  public:
    // Reads the section "lemmas". `tags` and `labels` (as spaCy writes them: "ROOT", "nsubj") say
    // what the numbers of `lemmatize` mean.
    Lemmatizer(const Sections& sections, const std::vector<std::string>& tags,
               const std::vector<std::string>& labels);

    // Writes a lemma for each token of a line. White space has the tag "_SP" whatever the tagger
    // says; the caller sees to it.
    void lemmatize(const Token* tokens, size_t count, const uint8_t* tags, const uint8_t* labels,
                   LemmaRoom& room, std::string_view* lemmas) const;
};

}  // namespace summeval::parsing
