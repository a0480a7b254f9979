package ingest

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/models/snapshot"
)

// gathering is what a run learns while its rows stream by.
type gathering struct {
	facts    decode.Facts      // of all documents
	names    *decode.Keys      // of their values, where there is no header
	document int               // the number of the one being read
	keys     map[uint64]uint32 // key -> the document and the facts with which it came first
	seed     maphash.Seed
	repeated int // keys that came again and may stand where others are missing
	slips    int // rows that came again as they were, in one document
	unnamed  int
	untaken  int // rows that could not be read, these included
	own      int // of a scope: those of its county, which are not among them
	of       map[int16]*untaken
	spared   snapshot.Exempt
	rows     int
	untold   bool // a file of lines declares no total
	unended  bool // a document lacks its end
}

// untaken counts the rows that could not be read of one county; 0: of those that name none.
type untaken struct{ rows, unnamed int }

// scope is the gathering of all documents as a county is judged by it, of which the rows are those of s. A row that could not be
// read counts for the county that it names, and for each where it names none.
func (g *gathering) scope(s *scope) *gathering {
	whole := *g
	none, own := g.lost(0), g.lost(s.county.ID)
	whole.repeated, whole.slips = s.gathered.repeated, s.gathered.slips
	whole.untaken, whole.unnamed, whole.own = none.rows, none.unnamed+own.unnamed, own.rows
	return &whole
}

// lost returns the counts of a county, which may be changed.
func (g *gathering) lost(county int16) *untaken {
	if g.of[county] == nil {
		g.of[county] = &untaken{}
	}
	return g.of[county]
}

// newGathering begins a tally. The seed is another one in each run, so nobody can write keys that collide on purpose.
func newGathering(names *decode.Keys) *gathering {
	return &gathering{of: map[int16]*untaken{}, keys: map[uint64]uint32{}, seed: maphash.MakeSeed(), names: names}
}

// add sums what the documents of a snapshot say of themselves. Each file of lines declares its own rows, each
// page of other formats those of all pages.
func (g *gathering) add(f decode.Facts, lined bool) {
	g.untold = g.untold || lined && f.Total == nil
	// Pages of other formats repeat the total of all pages, so the last one replaces what was known.
	if lined && f.Total != nil && g.facts.Total != nil {
		sum := *g.facts.Total + *f.Total
		f.Total = &sum
	}
	g.facts.Rows += f.Rows
	g.facts.Lines += f.Lines
	g.unended = g.unended || !f.Marker
	if f.Total != nil {
		g.facts.Total = f.Total
	}
	// The first document has the header of all: others may repeat it or go without.
	if g.facts.Header == nil {
		g.facts.Header = f.Header
	}
}

// place is the number of a line of the document being read.
func (g *gathering) place(line int64) int64 { return place{g.document, line}.number() }

// see counts a key. The same row twice in one document is a slip of its author, unless the document declares as
// many rows as it has: it may stand in another's place. On another page, or with other facts, rows moved while
// they were read, or two of them are one, and somebody may be missing.
// Keys are kept as hashes of 64 bits and facts of 32, as a list may have a million rows.
func (g *gathering) see(key string, facts []byte) {
	g.rows++
	sum := maphash.String(g.seed, key)
	var h maphash.Hash
	h.SetSeed(g.seed)
	_, _ = h.Write(binary.BigEndian.AppendUint64(slices.Clip(facts), uint64(g.document))) //nolint:gosec // a number of a document; a hash takes every write
	told := uint32(h.Sum64())                                                             //nolint:gosec // half of it is enough
	first, again := g.keys[sum]
	switch {
	case !again:
		g.keys[sum] = told
	case first != told:
		g.repeated++
	default:
		g.slips++
	}
}

// reject sends a row to the quarantine and remembers whom it speaks of: nobody is missing whose row
// merely could not be read.
func (g *gathering) reject(ctx context.Context, bad *mapping.Rejected, q *quarantine) error {
	of := g.lost(bad.County)
	g.untaken++
	of.rows++
	// Nobody can be exempted for a row that names nobody. One such row makes a list partial (reconcile.Prove).
	if bad.Who == "" && bad.Key == "" {
		g.unnamed++
		of.unnamed++
	}
	if bad.Who != "" {
		g.spared.Names = append(g.spared.Names, bad.Who)
	}
	if bad.Key != "" {
		g.spared.Keys = append(g.spared.Keys, bad.Key)
	}
	// A juvenile's row that cannot be taken hides the booking all the same (guarantee 11).
	if bad.Key != "" && bad.Child {
		g.spared.Children = append(g.spared.Children, bad.Key)
	}
	bad.Line = g.place(bad.Line)
	return q.add(ctx, bad)
}
