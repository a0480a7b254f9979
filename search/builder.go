package search

import (
	"errors"
	"strings"

	"rollcall/models"
)

// errOrder means that rows do not come in list order. A database that sorts otherwise is then
// answered by SQL, and not by a wrong index.
var errOrder = errors.New("rows are not in list order")

// builder makes a segment of records that are added in list order. Its columns grow without
// copying, so a load needs little more memory than its result.
type builder struct {
	// The family's order of lists.
	compare sorting
	// Place of the record added last: records must come in list order.
	previous place
	keys     column[int64]
	orders   column[int64]
	changed  column[int64]
	// What decides between equal orders.
	ties   texts
	kindOf column[uint32]
	// Numbers of the kinds that were met. A kind is a combination of three facets. Kinds are few,
	// so a record holds a number instead of three facets.
	kinds map[[3]int16]uint32
	// Where each name ends in ids.
	ends column[uint32]
	// The words of all names, as numbers of the lexicon.
	ids   column[uint32]
	words texts
	// Number of each word.
	known map[string]uint32
	// Most words in one name.
	longest int
}

// newBuilder returns a builder of an empty segment.
func newBuilder(compare sorting) *builder {
	return &builder{compare: compare, kinds: map[[3]int16]uint32{}, known: map[string]uint32{}}
}

// add adds a row. It keeps none of the row's strings, which are the reader's buffer.
func (b *builder) add(r *models.IndexRow) error {
	if err := b.addRecord(r.Key, r.Changed, place{r.Order, r.Tie}, r.Facets); err != nil {
		return err
	}
	from := b.ids.n
	for w := range strings.SplitSeq(r.Words, " ") {
		if w != "" {
			b.ids.add(b.word(w))
		}
	}
	b.endName(from)
	return nil
}

// word returns the number of a word; a new word gets the next one.
func (b *builder) word(w string) uint32 {
	id, ok := b.known[w]
	if !ok {
		id = uint32(b.words.ends.n) //nolint:gosec // words are numbered in 32 bits
		b.words.add(w)
		b.known[strings.Clone(w)] = id
	}
	return id
}

// addRecord adds a record without its name. errOrder means that the database sorts otherwise than
// this program; the index then gives up and SQL answers.
func (b *builder) addRecord(key, changed int64, at place, kind [3]int16) error {
	if b.keys.n > 0 && b.compare(b.previous, at) > 0 {
		return errOrder
	}
	b.previous = at
	b.keys.add(key)
	b.changed.add(changed)
	b.orders.add(at.order)
	b.ties.add(at.tie)
	k, ok := b.kinds[kind]
	if !ok {
		k = uint32(len(b.kinds)) //nolint:gosec // kinds are a few thousand
		b.kinds[kind] = k
	}
	b.kindOf.add(k)
	return nil
}

// endName ends the name whose words begin at from.
func (b *builder) endName(from int) {
	b.longest = max(b.longest, b.ids.n-from)
	b.ends.add(uint32(b.ids.n)) //nolint:gosec // four words a name are enough for a billion names
}

// copier returns a function that adds the record at a position of g to b. Words keep their texts
// and get b's numbers.
func (b *builder) copier(g *segment) func(p int) error {
	renumber := make([]uint32, g.lexicon.words.len()) // number in b + 1
	return func(p int) error {
		if err := b.addRecord(g.keys[p], g.changed[p], g.place(p), g.kinds[g.kindOf[p]]); err != nil {
			return err
		}
		from := b.ids.n
		for _, w := range g.name(p) {
			if renumber[w] == 0 {
				renumber[w] = b.word(g.lexicon.words.at(w)) + 1
			}
			b.ids.add(renumber[w] - 1)
		}
		b.endName(from)
		return nil
	}
}

// segment finishes the segment; the builder is empty afterwards.
func (b *builder) segment() *segment {
	b.known = nil
	g := &segment{
		keys: b.keys.flat(), orders: b.orders.flat(), changed: b.changed.flat(), ties: b.ties.flat(), kindOf: b.kindOf.flat(),
		kinds: make([][3]int16, len(b.kinds)), ends: b.ends.flat(), ids: b.ids.flat(), longest: b.longest,
	}
	for kind, k := range b.kinds {
		g.kinds[k] = kind
	}
	g.at = newKeyTable(g.keys)
	g.facets = newFacets(g.kindOf, g.kinds)
	g.lexicon = newLexicon(b.words.flat(), g.ends, g.ids)
	return g
}
