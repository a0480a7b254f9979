package lexicon

import (
	"math"
	"sync/atomic"

	"rollcall/match/internal/letter"
	"rollcall/match/internal/noise"
)

// Role is what a word is in a name.
type Role uint8

// The roles.
const (
	Surname Role = iota
	Given
)

// Shares of names that no list holds, as -ln, by role.
var (
	// unlisted is the share of people whose name no list holds.
	unlisted = [2]float32{3, 3.7}
	// cross is how many of those who have a name in the other role there are for one in this.
	cross = [2]float32{3.39, 5}
	// joins is how many people have two names written as one.
	joins = [2]float32{7, 4.3}
)

// prefixed is -ln of how many of those who have a given name there are for one with a certain syllable before it: DAQUAN.
const prefixed = 7

// Lost is -ln of how often a source loses a letter.
const Lost = 4.3

// Shortened is ln of how often somebody is written by one of the short forms of the name.
const Shortened = -2

// mostLost is how many lost letters of a word are tried; a word with more of them may be any name.
const mostLost = 2

// rarestListed is -ln of how many have the rarest surnames of the table.
const rarestListed = 14.6

// Own returns -ln of how many people have a word as their name from birth. One that no list holds is as frequent as its
// letters follow one another in names: WFRIGHT is hardly anybody's.
func (l *Lexicon) Own(w *Word, r Role) float32 {
	switch r {
	case Surname:
		if w.Surname < Rarest {
			return w.Surname
		}
	case Given:
		if w.Given < Rarest {
			return w.Given
		}
	}
	if bits := atomic.LoadUint32(&w.own[r]); bits != 0 {
		return math.Float32frombits(bits)
	}
	own := l.unheard(w, r)
	atomic.StoreUint32(&w.own[r], math.Float32bits(own))
	return own
}

// unheard is Own of a word that no list holds in its role.
func (l *Lexicon) unheard(w *Word, r Role) float32 {
	this, other := w.Surname, w.Given
	if r == Given {
		this, other = other, this
	}
	own := unlisted[r] - l.chains[r].Log(w.Text)
	if r == Surname && this == Rarest {
		return rarestListed
	}
	if other < Rarest {
		own = min(own, other+cross[r])
	}
	return own
}

// Written returns -ln of how often a word is written: by those who are called so, for the names around it by mistake, and for those
// that it is short for.
func (l *Lexicon) Written(w *Word, r Role) float32 {
	if bits := atomic.LoadUint32(&w.written[r]); bits != 0 {
		return math.Float32frombits(bits)
	}
	var share float64
	if w.Wild {
		share = math.Exp(-Lost) * l.completed(w.Text, r)
	} else {
		share = math.Exp(-float64(l.Own(w, r))) + l.slipped(w, r) + l.joined(w.Text, r)
		if r == Given {
			share += l.shortened(w)
		}
	}
	f := float32(-math.Log(share))
	atomic.StoreUint32(&w.written[r], math.Float32bits(f))
	return f
}

// shortened returns how often a given name is written for those whose short form it is.
func (l *Lexicon) shortened(w *Word) (share float64) {
	for i := range w.Links {
		if w.Links[i].Form == Nickname {
			share += math.Exp(float64(Shortened - l.Own(w.Links[i].To, Given)))
		}
	}
	return share
}

// slipped returns how often a word is written for the names that are one slip away.
func (l *Lexicon) slipped(w *Word, r Role) (share float64) {
	text, n := w.Text, len(w.Text)
	if n < 3 || n >= letter.MaxEdits {
		return 0
	}
	for b := range letter.Near(text, l.texts) {
		if v, ok := l.Words[string(b)]; ok {
			share += math.Exp(float64(noise.Written(v.Text, text) - l.Own(v, r)))
		}
	}
	return share
}

// joined returns how many have a name that is put together from two, or from a syllable and a given name.
func (l *Lexicon) joined(text string, r Role) (share float64) {
	for i := 2; i <= len(text)-3; i++ {
		y, ok := l.Words[text[i:]]
		if !ok {
			continue
		}
		if r == Given && i <= longestSyllable && y.Given < Rarest {
			share += math.Exp(-float64(y.Given + prefixed))
		}
		if x, ok := l.Words[text[:i]]; ok && i > 2 {
			share += math.Exp(-float64(l.Own(x, r) + l.Own(y, r) + joins[r]))
		}
	}
	return share
}

// longestSyllable is how many letters a syllable before a given name has at most.
const longestSyllable = 3

// completed returns how many have a name that a word with lost letters may be.
func (l *Lexicon) completed(text string, r Role) float64 {
	lost := 0
	for i := range len(text) {
		if text[i] == letter.Wildcard {
			lost++
		}
	}
	if lost > mostLost {
		return 1
	}
	share := math.Exp(-float64(unlisted[r]) + float64(l.chains[r].Log(text)))
	for b := range letter.Completed(text) {
		if v, ok := l.Words[string(b)]; ok {
			share += math.Exp(-float64(l.Own(v, r)))
		}
	}
	return share
}

// Initial returns the share of people whose given name begins with a letter.
func (l *Lexicon) Initial(c byte) float32 {
	if c < 'a' || c > 'z' {
		return 1
	}
	return l.letters[c-'a']
}

// initials computes the share of each first letter among given names, in the order of the tables: sums in the order of a map
// differ in their last bits from start to start.
func (l *Lexicon) initials() {
	inOrder := make([]*Word, len(l.Words))
	for _, w := range l.Words {
		inOrder[w.ID] = w
	}
	for _, w := range inOrder {
		if c := w.Text[0]; w.Given < Rarest && c >= 'a' && c <= 'z' {
			l.letters[c-'a'] += float32(math.Exp(-float64(w.Given)))
		}
	}
	for i := range l.letters {
		l.letters[i] = max(l.letters[i], rarestInitial)
	}
}

// rarestInitial is the share of the names of an initial that hardly any name has.
const rarestInitial = 1e-3

// chain learns how letters follow one another in the names of a table.
func (l *Lexicon) chain(table string) *letter.Chain {
	return letter.NewChain(func(yield func(string) bool) {
		for fields := range l.lines(table) {
			if !yield(fields[0]) {
				return
			}
		}
	})
}
