// Package lexicon is what is known of names in general: how frequent they are, which are forms of one another, and how often
// a word is written for another by mistake. It compares no two names of people: that belongs to package match.
package lexicon

import (
	"io/fs"
	"math"
	"strconv"
	"strings"

	"rollcall/match/internal/letter"
)

// Lexicon is what is known about names in general: how frequent they are as given names and as surnames, and which are
// forms of one another. It never changes after loading, so goroutines share it. Sources and licences: tables/README.md.
type Lexicon struct {
	// Words of the tables by text.
	Words map[string]*Word
	// The texts of the words, to look up few of the words that a slip makes.
	texts *letter.Set
	// Given names that are one with a given name in another language, while the tables are read.
	abroad map[string][]string
	// Surnames linked to a surname, by its id.
	sounding map[int32][]*Word
	// How letters follow one another in the surnames and in the given names of the tables.
	chains [2]*letter.Chain
	// Share of each first letter among given names.
	letters [26]float32
	// The share of the people of an origin who have a given name, of those who have one of its names.
	among map[among]float32
	// Which origin is the Vietnamese one: see [Lexicon.Vietnamese].
	vietnamese uint8
	// The origins of the table, in its order.
	origins []string
	// Memory of the words, a few thousand together.
	block  []Word
	tables fs.FS
}

// Totals that the weights of the tables are parts of.
const (
	surnameTotal = 10_900_000 // a tenth of the people has a surname that no list holds
	givenTotal   = 10_000_000
	// Rarest bounds how much agreement on an unheard name can say:
	// -ln of one bearer in about a million.
	Rarest = 14
)

// rarity returns -ln of the share of people who have a name, in nats, at most Rarest.
func rarity(weight, total float64) float32 {
	return float32(min(Rarest, -math.Log(weight/total)))
}

// Load reads the tables, about 200 ms of one core. Closer links are entered first and stay. A table that is not there is
// empty: they are embedded at build time.
func Load(tables fs.FS) *Lexicon {
	l := &Lexicon{Words: make(map[string]*Word, 100_000), sounding: make(map[int32][]*Word), abroad: map[string][]string{}, texts: letter.NewSet(), tables: tables}
	l.loadSurnames()
	for fields := range l.lines("given.txt") {
		w := l.enter(fields[0])
		w.Given = rarity(weightOf(fields), givenTotal)
		w.Sex = fields[2][0]
	}
	l.loadOrigins()
	variants := l.loadVariants()
	l.loadNicknames(variants)
	l.abroad = nil
	for fields := range l.lines("surname_variants.txt") {
		l.linkSurnames(fields)
	}
	l.chains[Surname] = l.chain("surnames.txt")
	l.chains[Given] = l.chain("given.txt")
	for _, w := range l.Words {
		w.Core = l.coreOf(w.Text)
		l.texts.Add(w.Text)
	}
	l.initials()
	return l
}

// loadSurnames reads how many have a surname. The census has slips too, and nobody is called SMTIH: a surname that is a much more frequent
// one with two neighbouring letters exchanged is as rare as an unheard one.
func (l *Lexicon) loadSurnames() {
	var frequent []*Word
	for fields := range l.lines("surnames.txt") {
		w := l.enter(fields[0])
		if w.Surname = rarity(weightOf(fields), surnameTotal); w.Surname < Rarest-exchanged {
			frequent = append(frequent, w)
		}
	}
	for _, w := range frequent {
		for i := range len(w.Text) - 1 {
			slip, ok := l.Words[w.Text[:i]+w.Text[i+1:i+2]+w.Text[i:i+1]+w.Text[i+2:]]
			if ok && slip.Surname > w.Surname+exchanged {
				slip.Surname = Rarest
			}
		}
	}
}

// exchanged is how much rarer a surname is than the one of which it is a slip of the census, in nats: 300 times.
const exchanged = 5.7

// weightOf returns the second column of a line; a missing one counts as the Rarest.
func weightOf(fields []string) float64 {
	w, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || w <= 0 {
		return 1
	}
	return w
}

// lines yields the blank-separated fields of each line, comments left out.
func (l *Lexicon) lines(name string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		text, err := fs.ReadFile(l.tables, "tables/"+name)
		if err != nil {
			return
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
func (l *Lexicon) enter(text string) *Word {
	if w, ok := l.Words[text]; ok {
		return w
	}
	if len(l.block) == cap(l.block) {
		l.block = make([]Word, 0, 4096)
	}
	l.block = append(l.block, makeWord(text))
	w := &l.block[len(l.block)-1]
	w.ID = int32(len(l.Words)) //nolint:gosec // a hundred thousand table words
	l.Words[text] = w
	return w
}

// Word returns the table's word for a text, or a new unknown one.
func (l *Lexicon) Word(text string) *Word {
	if w, ok := l.Words[text]; ok {
		return w
	}
	w := makeWord(text)
	w.Core = l.coreOf(text)
	return &w
}

// coreOf returns the surname behind a particle that is written together with it (DELACRUZ: cruz), if what is left is a
// better known surname than the whole. ALFORD and DEVINE are names of their own. Without a particle it returns text.
func (l *Lexicon) coreOf(text string) string {
	whole := float32(Rarest)
	if w, ok := l.Words[text]; ok {
		whole = w.Surname
	}
	for _, p := range [...]string{"delos", "delas", "dela", "del", "de", "vander", "van", "von", "dos", "da", "el", "al"} {
		rest, ok := strings.CutPrefix(text, p)
		if !ok || len(rest) < 4 {
			continue
		}
		if w, ok := l.Words[rest]; ok && w.Surname < min(coreKnown, whole-coreLead) && (len(p) > 2 || whole >= OwnName) {
			return rest
		}
	}
	return text
}

// What coreOf asks, in nats of rarity: how well known the rest is, and by how much it leads the whole.
const (
	coreKnown = 12
	coreLead  = 1
)

// OwnName is from which rarity on a surname is hardly a name of its own, but the beginning or the end of another.
const OwnName = 12.5
