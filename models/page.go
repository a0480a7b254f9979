package models

import "fmt"

// Bounds of a page, from SPEC.md "Limits".
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Page is a wanted part of a list: Limit records from Offset, or from after the cursor After.
type Page struct {
	Limit  int
	Offset int
	After  string // an opaque cursor from an earlier page; excludes Offset
	Order  Order
}

// Order is how a list is ordered. A cursor of another order than the list's own counts records: one that comes or goes
// between two pages may show a record twice, or not at all.
type Order string

// The orders of lists.
const (
	// OrderOwn is the list's own, such as newest first.
	OrderOwn Order = ""
	// OrderRelevance is by how close names are to the one asked for, those in custody first among equals
	// (match.Closest). Without a name it is the list's own.
	OrderRelevance Order = "relevance"
	// The others are orders of bookings alone, by a column. Equal ones are newest first, and unknown values are last.
	OrderOldest      Order = "oldest"
	OrderName        Order = "name"
	OrderNameDown    Order = "name down"
	OrderCounty      Order = "county"
	OrderCountyDown  Order = "county down"
	OrderReleased    Order = "released"
	OrderReleasedOld Order = "released old"
	OrderBond        Order = "bond"
	OrderBondLow     Order = "bond low"
	OrderCharge      Order = "charge"
	OrderChargeDown  Order = "charge down"
)

// ByColumn reports whether SQL has to sort the list.
func (o Order) ByColumn() bool { return o != OrderOwn && o != OrderRelevance }

// NewPage fills in what is nil and refuses what is out of range. It serves GraphQL; /v1 clamps
// before it asks.
func NewPage(limit, offset *int, after *string) (Page, error) {
	p := Page{Limit: DefaultLimit}
	if limit != nil {
		p.Limit = *limit
	}
	if offset != nil {
		p.Offset = *offset
	}
	if after != nil {
		p.After = *after
	}
	switch {
	case p.Limit < 1 || p.Limit > MaxLimit:
		return Page{}, Invalid("limit", fmt.Sprintf("limit must be between 1 and %d", MaxLimit))
	case p.Offset < 0:
		return Page{}, Invalid("offset", "offset must not be negative")
	case p.After != "" && p.Offset != 0:
		return Page{}, Invalid("after", "give either after or offset, not both")
	}
	return p, nil
}

// PageInfo is how to go on from a page.
type PageInfo struct {
	HasNextPage bool
	End         func() (string, error) // nil on an empty page; cursors are made for those who ask
}

// EndCursor is the cursor of the last record; nil on an empty page.
func (p *PageInfo) EndCursor() (*string, error) {
	if p.End == nil {
		return nil, nil
	}
	c, err := p.End()
	return &c, err
}
