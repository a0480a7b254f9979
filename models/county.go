package models

import (
	"slices"
	"strings"
)

// County is one of Georgia's 159 counties. It is the GORM model of counties.
type County struct {
	ID   int16  `gorm:"primaryKey;autoIncrement:false"` // last three digits of the FIPS code
	Slug string // as in requests and record ids: ben-hill
	Name string // as displayed: Ben Hill
	FIPS string `gorm:"column:fips"` // five digits, Census
}

// TableName is the table of counties.
func (County) TableName() string { return "counties" }

// Counties is the fixed set of counties, read once; safe for concurrent use.
type Counties struct {
	all     []*County
	byID    map[int16]*County
	byLabel map[string]*County // by label: a spelling, folded
}

// CountiesOf makes a set of the given counties, for code that runs without a database.
func CountiesOf(all []*County) *Counties {
	c := &Counties{all: all, byID: map[int16]*County{}, byLabel: map[string]*County{}}
	for _, k := range all {
		c.byID[k.ID] = k
		for _, spelling := range append(consolidated[k.Slug], k.Slug, k.FIPS) {
			if label := countyLabel(spelling); label != "" {
				c.byLabel[label] = k
			}
		}
	}
	return c
}

// All returns every county by slug. The slice is shared: do not change it.
func (c *Counties) All() []*County { return c.all }

// ByID returns the county with that number, or nil.
func (c *Counties) ByID(id int16) *County { return c.byID[id] }

// ofIDs returns the counties with these numbers, by slug.
func (c *Counties) ofIDs(ids []int16) []*County {
	out := make([]*County, 0, len(ids))
	for _, id := range ids {
		if k := c.byID[id]; k != nil {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b *County) int { return strings.Compare(a.Slug, b.Slug) })
	return out
}
