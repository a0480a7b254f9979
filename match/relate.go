package match

import (
	"slices"
	"strings"

	"rollcall/match/internal/letter"
	"rollcall/match/internal/lexicon"
)

// relation is how two words of names relate. The order is that of closeness and has no other meaning.
type relation uint8

const (
	unrelated relation = iota
	opposite           // unrelated, though close: two different names, or names of both sexes
	initialOf
	shortened // an unlisted short form (SHAN of SHANTAVIOUS)
	cutOff    // one is the other, cut at the width of a column
	twoEdits
	oneEdit
	soundsLike
	sharedName // two nicknames of one formal name
	nickname
	withoutParticle // DE LA CRUZ and CRUZ
	variant
	equal
)

// tie is a relation of two words with its weight.
type tie struct {
	// The closest relation that holds.
	kind relation
	// Log-likelihood ratio relative to equality, 0 or below, in nats.
	cost float32
	// How much agreement on the word says, in nats.
	rarity float32
	// The slip is of a kind that typists and scanners make most.
	easy bool
	a, b *word
}

// scale is the question that a comparison answers. It decides which ties are worth weighing.
type scale bool

const (
	// asPair asks of two names by themselves; two well-known names at distance one are then two names.
	asPair scale = false
	// asWatched asks of a watcher and any booking; how frequent both names are is weighed later (watched.go).
	asWatched scale = true
)

// The costs, in nats against equality. They follow from how often jails write such a form when it is the same person,
// and how often when it is not; the frequency of the rarer name decides between a slip and a different name.
const (
	costDifferent  = -14
	costVariant    = -1.4
	costSpelled    = -2
	costNickname   = -1.9
	costSharedName = -3.2
	costParticle   = -1.2
	costSounds     = -2.3
	costOneEdit    = -2
	costEasyEdit   = -1.6
	costTwoEdits   = -4
	costShortened  = -3.8
	costDoubled    = -1.5
	wellKnown      = 9 // the rarity of a given name that needs no other to explain it
	costCutOff     = -0.4
	costWild       = -0.5
)

// slips says from which frequency on a word is a name of its own rather than a slip of the pen. A slip makes a word
// that is hardly anyone's name. Below the rarity unheard each nat of frequency costs steep, so that two well-known
// names at distance one are different names. Where the words sound alike, spelling by ear is the likelier cause, and
// the second pair of numbers holds.
type slips struct {
	unheard, steep           float32
	unheardSound, steepSound float32
}

var (
	givenSlips   = slips{unheard: 12.8, steep: 2.4, unheardSound: 11.3, steepSound: 2.4}
	surnameSlips = slips{unheard: 12.6, steep: 4, unheardSound: 9, steepSound: 1.6}
)

// relateGiven compares two given names.
func relateGiven(a, b *word, by scale) tie {
	if a == b || a.Text == b.Text {
		if a.Initial() {
			return tie{kind: initialOf, rarity: 0, a: a, b: b}
		}
		return tie{kind: equal, rarity: a.Given, a: a, b: b}
	}
	t := tie{kind: unrelated, cost: costDifferent, rarity: min(a.Given, b.Given), a: a, b: b}
	if a.Initial() || b.Initial() {
		if letter.Same(a.Text[0], b.Text[0]) {
			t.kind, t.cost = initialOf, 0
		}
		return t
	}
	if a.Links != nil && b.Links != nil {
		if len(a.Links) > len(b.Links) {
			a, b = b, a
		}
		switch a.LinkTo(b) {
		case lexicon.Variant:
			return t.as(variant, costVariant)
		case lexicon.Nickname:
			return t.as(nickname, costNickname)
		case lexicon.SharedName:
			return t.as(sharedName, costSharedName)
		}
	}
	return relateUnlistedGiven(a, b, t, by)
}

// as returns the tie with another relation and its cost.
func (t tie) as(kind relation, cost float32) tie {
	t.kind, t.cost = kind, cost
	return t
}

// relateUnlistedGiven relates given names that no table links: by spelling, sound or a slip.
func relateUnlistedGiven(a, b *word, t tie, by scale) tie {
	sexes := a.Sex != b.Sex && a.Sex != 'u' && b.Sex != 'u' || genderPair(a, b)
	rarer := max(a.Given, b.Given)
	if !sexes && a.Spelled == b.Spelled {
		return t.as(variant, costSpelled)
	}
	near := slip(a, b, rarer, &givenSlips, t, by)
	if near.kind != unrelated {
		if sexes && !a.Wild && !b.Wild && by == asPair {
			return t.as(opposite, costDifferent)
		}
		return near
	}
	if l := known(); l.Doubled(a, b) || l.Doubled(b, a) {
		return t.as(shortened, costDoubled)
	}
	if !sexes && lexicon.ShortForm(a, b) && !known().Seconds(a, b) && !known().Seconds(b, a) {
		short := min(len(a.Text), len(b.Text))
		if (len(a.Text) == short && a.Given < wellKnown) || (len(b.Text) == short && b.Given < wellKnown) {
			return t.as(shortened, costShortened-2) // ANNE is no SUZANNE as a rule
		}
		return t.as(shortened, costShortened)
	}
	return near
}

// genderPair reports whether the endings make a woman's name of a man's (ANTONIO and ANTONIA), whatever few bearers of
// the other sex the statistics know.
func genderPair(x, y *word) bool {
	a, b := x.Text, y.Text
	if len(a) > len(b) {
		a, b, x, y = b, a, y, x
	}
	n := len(a) - 1
	if n < 2 {
		return false
	}
	if len(a) == len(b) {
		return a[:n] == b[:n] && (a[n] == 'o' && b[n] == 'a' || a[n] == 'a' && b[n] == 'o')
	}
	ending := b[len(b)-1]
	if a[n] == ending { // MARIAA is a letter typed twice
		return false
	}
	return len(b) == len(a)+1 && b[:len(a)] == a && (ending == 'a' || ending == 'e' && x.Sex != 'f' && y.Sex == 'f')
}

// relateSurname compares two parts of surnames.
func relateSurname(a, b *word, by scale) tie {
	if a == b || a.Text == b.Text {
		return tie{kind: equal, rarity: a.Surname, a: a, b: b}
	}
	t := tie{kind: unrelated, cost: costDifferent, rarity: min(a.Surname, b.Surname), a: a, b: b}
	if a.ID >= 0 && b.ID >= 0 && spelledAlike(a, b) {
		return t.as(variant, costVariant)
	}
	if a.Core == b.Text || b.Core == a.Text {
		return t.as(withoutParticle, costParticle)
	}
	return slip(a, b, max(a.Surname, b.Surname), &surnameSlips, t, by)
}

// spelledAlike reports whether the table of surname spellings ties two of them.
func spelledAlike(a, b *word) bool {
	return slices.ContainsFunc(known().Sounding(a), func(w *word) bool { return w.ID == b.ID })
}

// slip decides whether two words that no table links are one word with slips of the pen. rarer is the rarity of the
// less frequent of the two.
func slip(a, b *word, rarer float32, s *slips, t tie, by scale) tie {
	wild := a.Wild || b.Wild
	if a.Sound == b.Sound && !wild {
		if n, easy := letter.Edits(a.Text, b.Text); n <= 1 || n == 2 && min(len(a.Text), len(b.Text)) >= 5 {
			cost := costSounds - s.steepSound*max(0, s.unheardSound-rarer)
			switch {
			case n > 1:
				cost--
			case easy:
				cost = max(cost, costEasyEdit-s.steep*max(0, s.unheard-rarer))
			default:
				cost = max(cost, costOneEdit-s.steep*max(0, s.unheard-rarer))
			}
			t.easy = easy
			return t.judged(soundsLike, cost, by)
		}
	}
	if lexicon.Strayed(a, b) && !wild {
		return t
	}
	n, easy := letter.Edits(a.Text, b.Text)
	if n == 0 && len(a.Text) == len(b.Text) {
		return t.as(oneEdit, costWild)
	}
	short := min(len(a.Text), len(b.Text))
	penalty := s.steep * max(0, s.unheard-rarer)
	switch {
	case n <= 1 && short >= 3 || wild && n == 2 && short >= 6:
		kind, cost := oneEdit, float32(costOneEdit)
		if n > 1 {
			kind = twoEdits
		}
		if easy {
			cost = costEasyEdit
		}
		if short == 3 {
			cost -= 1.5
		}
		t.easy = easy
		return t.judged(kind, cost-penalty, by)
	case n == 2 && short >= 5:
		cost := float32(costTwoEdits)
		if short == 5 {
			cost--
		}
		if a.Skeleton == b.Skeleton {
			cost++
		}
		t.easy = a.Skeleton == b.Skeleton
		return t.judged(twoEdits, cost-1.3*penalty, by)
	}
	return t
}

// judged returns the tie with a relation, or that of two different names if the slip costs too much.
func (t tie) judged(kind relation, cost float32, by scale) tie {
	if cost < -7 && by == asPair {
		return t.as(opposite, costDifferent)
	}
	return t.as(kind, cost)
}

// prefixed reports whether one word begins with the other.
func prefixed(a, b *word) bool {
	return strings.HasPrefix(a.Text, b.Text) || strings.HasPrefix(b.Text, a.Text)
}
