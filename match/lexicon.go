package match

import (
	"embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables/*.txt
var tableFiles embed.FS

// lexicon is what is known about names in general: how frequent they are as given names and as surnames, and which are
// forms of one another. It never changes after loading, so goroutines share it. Sources and licences: tables/README.md.
type lexicon struct {
	// Words of the tables by text.
	words map[string]*word
	// Surnames linked to a surname, by its id.
	sounding map[int32][]*word
	// Memory of the words, a few thousand together.
	block []word
}

// known returns the lexicon. The first call loads the tables, about 200 ms of one core.
var known = sync.OnceValue(loadLexicon)

// Totals that the weights of the tables are parts of.
const (
	surnameTotal = 10_900_000 // a tenth of the people has a surname that no list holds
	givenTotal   = 10_000_000
	// rarest bounds how much agreement on an unheard name can say:
	// -ln of one bearer in about a million.
	rarest = 14
)

// rarity returns -ln of the share of people who have a name, in nats, at most rarest.
func rarity(weight, total float64) float32 {
	return float32(min(rarest, -math.Log(weight/total)))
}

// loadLexicon reads the tables. Closer links are entered first and stay.
func loadLexicon() *lexicon {
	l := &lexicon{
		words: make(map[string]*word, 100_000), sounding: make(map[int32][]*word),
	}
	for fields := range tableLines("surnames.txt") {
		l.enter(fields[0]).surname = rarity(weightOf(fields), surnameTotal)
	}
	for fields := range tableLines("given.txt") {
		w := l.enter(fields[0])
		w.given = rarity(weightOf(fields), givenTotal)
		w.sex = fields[2][0]
	}
	variants := l.loadVariants()
	l.loadNicknames(variants)
	for fields := range tableLines("surname_variants.txt") {
		l.linkSurnames(fields)
	}
	for _, w := range l.words {
		w.core = l.coreOf(w.text)
	}
	return l
}

// weightOf returns the second column of a line; a missing one counts as the rarest.
func weightOf(fields []string) float64 {
	w, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || w <= 0 {
		return 1
	}
	return w
}

// tableLines yields the blank-separated fields of each line, comments left out.
func tableLines(name string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		text, err := tableFiles.ReadFile("tables/" + name)
		if err != nil {
			return // embedded at build time: cannot be missing
		}
		for line := range strings.Lines(string(text)) {
			if line[0] == '#' {
				continue
			}
			if fields := strings.Fields(line); len(fields) > 1 && !yield(fields) {
				return
			}
		}
	}
}

// enter returns the table's word for a text, and adds it when it is new.
func (l *lexicon) enter(text string) *word {
	if w, ok := l.words[text]; ok {
		return w
	}
	if len(l.block) == cap(l.block) {
		l.block = make([]word, 0, 4096)
	}
	l.block = append(l.block, makeWord(text))
	w := &l.block[len(l.block)-1]
	w.id = int32(len(l.words)) //nolint:gosec // a hundred thousand table words
	l.words[text] = w
	return w
}

// word returns the table's word for a text, or a new unknown one.
func (l *lexicon) word(text string) *word {
	if w, ok := l.words[text]; ok {
		return w
	}
	w := newWord(text)
	w.core = l.coreOf(text)
	return w
}

// loadVariants links the spellings of one given name. It returns, for each name, the names that it is spelled like.
func (l *lexicon) loadVariants() map[string][]string {
	spelled := make(map[string][]string)
	for names := range tableLines("variants.txt") {
		for _, a := range names {
			for _, b := range names {
				if a != b {
					l.linkGiven(a, b, variant)
					spelled[a] = append(spelled[a], b)
				}
			}
		}
	}
	return spelled
}

// loadNicknames links a formal name, in every spelling, to its short forms, and short forms of one name to each other.
// Closer links already made stay.
func (l *lexicon) loadNicknames(spelled map[string][]string) {
	for fields := range tableLines("nicknames.txt") {
		formal, short := strings.TrimSuffix(fields[0], ":"), fields[1:]
		for _, nick := range short {
			for _, f := range append([]string{formal}, spelled[formal]...) {
				l.linkGiven(f, nick, nickname)
			}
			for _, other := range append([]string{nick}, spelled[nick]...) {
				l.linkGiven(formal, other, nickname)
			}
		}
	}
	for fields := range tableLines("nicknames.txt") {
		for i, a := range fields[1:] {
			for _, b := range fields[i+2:] {
				l.linkGiven(a, b, sharedName)
			}
		}
	}
}

// linkGiven links two forms of a given name both ways.
func (l *lexicon) linkGiven(a, b string, r relation) {
	if a == b {
		return
	}
	x, y := l.enter(a), l.enter(b)
	if x.linkTo(y) == unrelated {
		x.links = append(x.links, link{y, r})
		y.links = append(y.links, link{x, r})
	}
}

// linkSurnames links surnames that sound alike.
func (l *lexicon) linkSurnames(names []string) {
	for _, a := range names {
		for _, b := range names {
			if a == b {
				continue
			}
			wa, wb := l.enter(a), l.enter(b)
			l.sounding[wa.id] = append(l.sounding[wa.id], wb)
		}
	}
}

// coreOf returns the surname behind a particle that is written together with it (DELACRUZ: cruz), if what is left is a
// better known surname than the whole. ALFORD and DEVINE are names of their own. Without a particle it returns text.
func (l *lexicon) coreOf(text string) string {
	whole := float32(rarest)
	if w, ok := l.words[text]; ok {
		whole = w.surname
	}
	for _, p := range [...]string{"delos", "delas", "dela", "del", "de", "vander", "van", "von", "dos", "da", "el", "al"} {
		rest, ok := strings.CutPrefix(text, p)
		if !ok || len(rest) < 4 {
			continue
		}
		if w, ok := l.words[rest]; ok && w.surname < min(coreKnown, whole-coreLead) && (len(p) > 2 || whole >= ownName) {
			return rest
		}
	}
	return text
}

// What coreOf asks, in nats of rarity: how well known the rest is, by how much it leads the whole, and how rare the
// whole is when the particle is short enough to be the beginning of another name.
const (
	coreKnown = 12
	coreLead  = 1
	ownName   = 12.5
)
