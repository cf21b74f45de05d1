// WordNet as a memory-mapped table (see summeval.elements.resources), and look-ups in its bytes.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace summeval {

enum Pos : int { NOUN, VERB, ADJECTIVE, ADVERB, NO_POS };

template <class T>
struct Span {
    const T* first = nullptr;
    const T* last = nullptr;
    const T* begin() const noexcept { return first; }
    const T* end() const noexcept { return last; }
    size_t size() const noexcept { return static_cast<size_t>(last - first); }
    const T& operator[](size_t k) const noexcept { return first[k]; }
};

using Numbers = Span<uint32_t>;

inline bool ends_with(std::string_view word, std::string_view end) noexcept {
    return word.size() >= end.size() && word.substr(word.size() - end.size()) == end;
}

inline bool ends_consonant_y(std::string_view word) noexcept {
    return word.size() > 1 && word.back() == 'y' &&
           std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos;
}

class WordNet {
  public:
    // Where the strings with the same first letters are, of those that were looked for.
    using Near = std::vector<std::array<uint32_t, 2>>;

    static constexpr uint32_t NONE = UINT32_MAX, STRING = (1u << 30) - 1;
    uint32_t most_senses = 1;  // of an entry, the most frequent first

    // The table must outlive this object, and must start at a multiple of four bytes.
    void open(const unsigned char* bytes) {
        const uint32_t* at = reinterpret_cast<const uint32_t*>(bytes) + SIZES;
        const uint32_t* data = at + SECTIONS;
        for (size_t k = 0; k < SECTIONS; ++k) {
            sections_[k] = {data, data + at[k]};
            data += at[k];
        }
        text_ = reinterpret_cast<const char*>(sections_[1].first);
    }

    uint32_t strings() const noexcept { return static_cast<uint32_t>(sections_[0].size()) - 1; }

    std::string_view string(uint32_t id) const noexcept {
        const uint32_t* at = sections_[0].first + id;
        return {text_ + at[0], at[1] - at[0]};
    }

    // The place of the word among the entries of a part of speech.
    // `near` makes later look-ups faster.
    uint32_t place(std::string_view word, int pos, Near* near = nullptr) const {
        return search(find(word, near), section(pos, 0));
    }

    // The number of a string, NONE if the table lacks it.
    uint32_t number(std::string_view word, Near* near = nullptr) const { return find(word, near); }

    // Calls visit(string) for the single words of all synsets of a form, as NLTK finds them: of the
    // form itself, and of its base forms in the exception list or else by every suffix rule.
    template <class Visit>
    void each_synonym(std::string_view form, Near* near, Visit visit) const {
        const uint32_t own = find(form, near);
        std::string rest;
        for (int pos = NOUN; pos < NO_POS; ++pos) {
            const auto tell = [&](uint32_t id) {
                const uint32_t entry = search(id, section(pos, 0));
                if (entry == NONE) return;
                for (const uint32_t synset : synsets(entry, pos))
                    for (const uint32_t word : words(synset)) visit(word);
            };
            tell(own);
            const uint32_t key = search(own, section(pos, 7));
            if (key != NONE) {
                for (const uint32_t base : list(pos, 8, key))
                    if (!is_overwritten(form, string(base))) tell(base);
                continue;
            }
            const auto detach = [&](const Suffix& suffix) {
                if (!ends_with(form, suffix.old)) return;
                rest.assign(form.substr(0, form.size() - std::strlen(suffix.old)));
                rest += suffix.fresh;
                tell(find(rest, near));
            };
            for (const Suffix& suffix : suffixes(pos)) detach(suffix);
            if (pos == NOUN) detach({"ves", "f"});  // NLTK's own
        }
    }

    // The place of the entry that a lower-case form belongs to.
    uint32_t entry(std::string_view form, int pos, std::string& scratch,
                   Near* near = nullptr) const {
        scratch.assign(form);
        std::replace(scratch.begin(), scratch.end(), ' ', '_');
        const uint32_t whole = base(scratch, pos, near);
        if (whole != NONE) return whole;
        size_t begin = scratch.size();
        while (begin > 0 && is_letter(scratch[begin - 1])) --begin;
        if (begin == 0 || begin == scratch.size()) return NONE;
        return base(std::string_view(scratch).substr(begin), pos, near);
    }

    uint32_t entry_string(uint32_t place, int pos) const noexcept {
        return section(pos, 0)[place];
    }
    // The synsets of the senses of an entry, and what its word is related to in them.
    Numbers synsets(uint32_t place, int pos) const noexcept {
        const std::array<uint32_t, 2> ends = senses(place, pos);
        const uint32_t* all = section(pos, 2).first;
        return {all + ends[0], all + ends[1]};
    }
    Numbers derived(uint32_t place, int pos) const noexcept { return related(place, pos, 3); }
    Numbers pertainyms(uint32_t place, int pos) const noexcept { return related(place, pos, 5); }
    Numbers irregular(uint32_t place, int pos) const noexcept {
        const uint32_t key = search(entry_string(place, pos), section(pos, 10));
        return key == NONE ? Numbers{} : list(pos, 11, key);
    }
    Numbers words(uint32_t synset) const noexcept { return slice(SYNSETS, synset); }
    Numbers members(uint32_t synset) const noexcept { return slice(SYNSETS + 2, synset); }
    Numbers kin(uint32_t synset) const noexcept { return slice(SYNSETS + 4, synset); }

  private:
    static constexpr size_t SECTIONS = 60, SIZES = 5, ENTRIES = 2, PER_POS = 13, SYNSETS = 54;
    std::array<Numbers, SECTIONS> sections_{};
    const char* text_ = nullptr;

    static bool is_letter(char byte) noexcept {
        return (byte >= 'a' && byte <= 'z') || static_cast<unsigned char>(byte) >= 0x80;
    }

    Numbers section(int pos, size_t k) const noexcept {
        return sections_[ENTRIES + PER_POS * static_cast<size_t>(pos) + k];
    }
    Numbers slice(size_t section, uint32_t k) const noexcept {
        const uint32_t* at = sections_[section].first + k;
        const uint32_t* data = sections_[section + 1].first;
        return {data + at[0], data + at[1]};
    }
    Numbers list(int pos, size_t k, uint32_t place) const noexcept {
        return slice(ENTRIES + PER_POS * static_cast<size_t>(pos) + k, place);
    }

    // The numbers of the senses of an entry: the first, and the one after the last.
    std::array<uint32_t, 2> senses(uint32_t place, int pos) const noexcept {
        const uint32_t* at = section(pos, 1).first + place;
        return {{at[0], at[0] + std::min(most_senses, at[1] - at[0])}};
    }
    Numbers related(uint32_t place, int pos, size_t k) const noexcept {
        const std::array<uint32_t, 2> ends = senses(place, pos);
        const uint32_t* at = section(pos, k).first;
        const uint32_t* data = section(pos, k + 1).first;
        return {data + at[ends[0]], data + at[ends[1]]};
    }

    static constexpr size_t LETTERS = 3;  // by which strings are near
    static constexpr uint32_t UNKNOWN = NONE;

    // The number of the first letters, all small; false if there are none such.
    static bool letters(std::string_view word, size_t& number) noexcept {
        number = 0;
        if (word.size() < LETTERS) return false;
        for (size_t k = 0; k < LETTERS; ++k) {
            if (word[k] < 'a' || word[k] > 'z') return false;
            number = number * 26 + static_cast<size_t>(word[k] - 'a');
        }
        return true;
    }

    // The first string that is not below a word, of some whose neighbours are.
    uint32_t bound(std::string_view word, uint32_t low, uint32_t high) const noexcept {
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (string(middle) < word)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    uint32_t find(std::string_view word, Near* near) const {
        uint32_t first = 0, last = strings();
        size_t number;
        if (near != nullptr && letters(word, number)) {
            if (near->empty()) near->assign(26 * 26 * 26, {{UNKNOWN, 0}});
            std::array<uint32_t, 2>& known = (*near)[number];
            if (known[0] == UNKNOWN) {
                std::string after(word.substr(0, LETTERS));
                known[0] = bound(after, 0, last);
                ++after.back();  // `{` follows z
                known[1] = bound(after, known[0], last);
            }
            first = known[0];
            last = known[1];
        }
        const uint32_t found = bound(word, first, last);
        return found < last && string(found) == word ? found : NONE;
    }

    // Base forms on the first of two lines for a form, of which NLTK keeps the second.
    static bool is_overwritten(std::string_view form, std::string_view base) noexcept {
        return (form == "offer" && base == "off") || (form == "involucra" && base == "involucre");
    }

    static uint32_t search(uint32_t id, Numbers keys) noexcept {
        if (id == NONE) return NONE;
        const uint32_t* at = std::lower_bound(keys.begin(), keys.end(), id);
        return at != keys.end() && *at == id ? static_cast<uint32_t>(at - keys.begin()) : NONE;
    }

    struct Suffix {
        const char* old;
        const char* fresh;
    };

    static Span<Suffix> suffixes(int pos) noexcept {
        static constexpr Suffix noun[] = {{"s", ""},     {"ses", "s"},   {"xes", "x"},
                                          {"zes", "z"},  {"ches", "ch"}, {"shes", "sh"},
                                          {"men", "man"}, {"ies", "y"}};
        static constexpr Suffix verb[] = {{"s", ""},  {"ies", "y"}, {"es", "e"},  {"es", ""},
                                          {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
        static constexpr Suffix adjective[] = {
            {"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};
        if (pos == NOUN) return {std::begin(noun), std::end(noun)};
        if (pos == VERB) return {std::begin(verb), std::end(verb)};
        if (pos == ADJECTIVE) return {std::begin(adjective), std::end(adjective)};
        return {};
    }

    uint32_t base(std::string_view word, int pos, Near* near) const {
        const uint32_t id = find(word, near);
        const uint32_t own = search(id, section(pos, 0));
        if (own != NONE) return own;
        const uint32_t key = search(id, section(pos, 7));
        if (key != NONE)
            for (const uint32_t string : list(pos, 8, key)) {
                const uint32_t found = search(string, section(pos, 0));
                if (found != NONE) return found;
            }
        std::string form;
        for (const Suffix& suffix : suffixes(pos)) {
            if (!ends_with(word, suffix.old)) continue;
            form.assign(word.substr(0, word.size() - std::strlen(suffix.old)));
            form += suffix.fresh;
            const uint32_t found = place(form, pos, near);
            if (found != NONE) return found;
        }
        return NONE;
    }
};

// Appends the forms of a word except the word itself, irregular forms first (the definition is
// tests/definitions/elements/wordnet.py). With `original`, verbs and plurals are formed as in BEwT-E 0.5.1.
inline void inflect(const WordNet& net, uint32_t place, int pos, bool original,
                    std::vector<std::string>& forms) {
    const std::string word(net.string(net.entry_string(place, pos)));
    const auto add = [&](std::string form) {
        if (form != word) forms.push_back(std::move(form));
    };
    const auto cut = [&](size_t size, const char* end) { return word.substr(0, word.size() - size) + end; };
    const Numbers irregular = net.irregular(place, pos);
    for (const uint32_t id : irregular) add(std::string(net.string(id)));
    const bool y = ends_consonant_y(word);
    bool hisses = false;
    for (const char* end : {"s", "z", "x", "ch", "sh"}) hisses = hisses || ends_with(word, end);
    if (pos == VERB) {
        const bool e = ends_with(word, "e"), ee = ends_with(word, "ee");
        add(cut(e && !ee ? 1 : 0, "ing"));
        if (e) {
            add(word + "d");
            add(word + "s");
        } else if (original) {
            add(word + "ed");
            if (ends_with(word, "s")) add(word + "es");
        } else {
            add(y ? cut(1, "ied") : word + "ed");
            add(y ? cut(1, "ies") : word + (hisses || ends_with(word, "o") ? "es" : "s"));
        }
    } else if (irregular.size() == 0 && pos == NOUN) {
        if (!y) add(word + (hisses ? "es" : "s"));
        else if (!original) add(cut(1, "ies"));
    } else if (irregular.size() == 0 && pos == ADJECTIVE) {
        const std::string stem = y ? cut(1, "i") : cut(ends_with(word, "e") ? 1 : 0, "");
        add(stem + "er");
        add(stem + "est");
    }
}

}  // namespace summeval
