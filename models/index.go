package models

import "context"

// Family names a record family; generations count its committed changes.
type Family string

// The three record families.
const (
	Roster      Family = "roster"
	Courts      Family = "courts"
	Corrections Family = "corrections"
)

// LinksFamily is the generation of links: they are in the answers of two families.
const LinksFamily Family = "links"

// Generation is the number of committed changes of a family. It is the GORM model of generations.
type Generation struct {
	Family Family `gorm:"primaryKey"` // or LinksFamily
	Gen    int64
}

// TableName is the table of generations.
func (Generation) TableName() string { return "generations" }

// IndexQuery asks a ListIndex for a page of a list.
type IndexQuery struct {
	Words  []string // folded words of a name query, each in a word of its own; none: any name
	Facets [3]int16 // wanted values of IndexRow.Facets; 0: any, -v: all but v
	From   int64    // bounds on IndexRow.Order, From <= order < To; both 0: none
	To     int64
	Since  int64 // least IndexRow.Changed; 0: any
	Offset int
	After  *IndexPlace // the page begins behind this place; nil: at Offset
	Limit  int
	// Closest lists the matches by how close their names are to Words (match.Closest), for Offset and without After.
	Closest bool
	// Ahead are values of IndexRow.Facets of the records that come first among equally close ones; 0: any.
	Ahead [3]int16
}

// IndexPlace is a place in the order of a list: Order and Tie of an IndexRow, which may be gone by now.
type IndexPlace struct {
	Order int64
	Tie   string
}

// IndexPage is a ListIndex's answer: the keys of one page in list order and the exact number of
// matches, both as of generation Gen of the family.
type IndexPage struct {
	Keys  []int64
	Total int
	Gen   int64
}

// ListIndex answers list queries of one family from memory. It is what makes name searches and
// deep offsets fast (docs/decisions/0003-list-index.md); SQL answers while ok is false.
type ListIndex interface {
	// Find answers q; ok is false while the index is not loaded.
	Find(q IndexQuery) (page IndexPage, ok bool)
	// CatchUp returns when the index has seen generation gen, or cannot within ctx.
	CatchUp(ctx context.Context, gen int64) error
}

// IndexRow is what a ListIndex knows of a record.
//
//   - roster: Order is booked_at in microseconds since 1970, descending; Tie is the record id,
//     descending; Facets are county id, status (1 booked, 2 released).
//   - courts: Order is filed_date in days since 1970, descending; Tie is case number, county id and
//     internal id, ascending; Facets are county id, court type (1 state, 2 superior, 3 magistrate,
//     4 warrants), status (1 pending, 2 closed, 3 warrant, 4 unknown).
//   - corrections: Order is 0; Tie is name key and gdc_id, ascending; Facets are category (1 offender, 2 parolee, 3 sex_offender),
//     status (1 incarcerated, 2 paroled, 3 released, 4 unknown).
type IndexRow struct {
	Key     int64
	Changed int64 // last change in microseconds since 1970
	Order   int64
	Tie     string
	Words   string // the search key: folded words of the name, blank between
	Facets  [3]int16
	Gone    bool // withheld or deleted: drop it
	Gen     int64
}

// View is a state of the records as far as their generations tell it, and the minute, which decides the
// next hearing: hearings begin on whole minutes. Equal views show equal records.
type View struct {
	Roster, Courts, Corrections, Links int64
	Minute                             int64
}

// Of returns the generation of a family of records in the view.
func (v View) Of(f Family) int64 {
	switch f {
	case Roster:
		return v.Roster
	case Courts:
		return v.Courts
	case Corrections:
		return v.Corrections
	}
	return v.Links
}
