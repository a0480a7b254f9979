package models

import (
	"fmt"
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
	all    []*County
	byID   map[int16]*County
	bySlug map[string]*County
}

// CountiesOf makes a set of the given counties, for code that runs without a database.
func CountiesOf(all []*County) *Counties {
	c := &Counties{all: all, byID: map[int16]*County{}, bySlug: map[string]*County{}}
	for _, k := range all {
		c.byID[k.ID], c.bySlug[k.Slug] = k, k
	}
	return c
}

// All gives every county by slug. The slice is shared: do not change it.
func (c *Counties) All() []*County { return c.all }

// ByID gives the county with that number, or nil.
func (c *Counties) ByID(id int16) *County { return c.byID[id] }

// ofIDs gives the counties with these numbers, by slug.
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

// BySlug gives the county of a slug in any letter case. A typo must never read as "not in
// custody", so an unknown slug is an error that says what to do.
func (c *Counties) BySlug(slug string) (*County, error) {
	if k := c.bySlug[strings.ToLower(strings.TrimSpace(slug))]; k != nil {
		return k, nil
	}
	return nil, Invalid("county", fmt.Sprintf("county %.40q is not a county slug of Georgia; see /v1/counties for all of them", slug))
}

// ByName gives the county of a display name or slug in any letter case, with or without the word
// "County", or nil. Feeds write counties in many ways.
func (c *Counties) ByName(name string) *County {
	n := strings.ToLower(strings.TrimSpace(name))
	n = strings.TrimSpace(strings.TrimSuffix(n, " county"))
	return c.bySlug[strings.Join(strings.Fields(n), "-")]
}
