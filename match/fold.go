package match

import "rollcall/match/internal/letter"

// Fold returns the form in which names are searched and compared: Unicode NFKD, accents and apostrophes dropped, case
// folded, letters without a decomposition as plain ones (Ł as l), every other punctuation or symbol a blank, blanks
// squeezed and trimmed (DECISIONS "Names"). Letters and digits are all that is left, so "%" and "_" mean nothing, and
// NUL and invalid UTF-8 are blanks. Fold(Fold(s)) == Fold(s).
func Fold(s string) string { return letter.Fold(s) }

// SearchKey returns what the database stores and the search index reads for a name as reported: its folded words joined
// by single blanks. It is lossless for the rule of [Holds], in whichever order the source writes the parts.
func SearchKey(name string) string { return letter.Fold(name) }

// Words returns the folded words of a name query, nil when it folds to nothing.
func Words(query string) []string { return letter.Words(query) }

// Holds reports whether a name with this [SearchKey] answers a query with these [Words]: each word of the query is
// contained in a word of its own of the name, in any order (DECISIONS "Names"). No words match nothing.
func Holds(key string, words []string) bool { return letter.Holds(key, words) }
