package record

import (
	"context"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/column"
)

// table is where the records of a family are read, and what is read of one. Every name here is a word of this
// package, so statements may be put together of them.
type table struct {
	family models.Family
	// name is the view of the published records.
	name string
	// reachable is the view of these and of those that were merged into them.
	reachable string
	// versions is the view of the versions of reachable records.
	versions string
	// alias is the name of the view in statements, which columns begin with.
	alias string
	// key is the column of the internal key.
	key string
	// columns are in the order in which the family's row scans them, the key first.
	columns string
	// join, if any, adds what the columns show of the moment of reading, which its ? stands for.
	join string
}

// tables are those of all families.
var tables = []*table{&rosterTable.table, &courtTable.table, &correctionsTable.table}

// published reads published records. at is the moment of reading.
func (t *table) published(ctx context.Context, s *Store, at time.Time) *gorm.DB {
	return t.joined(s.rows(ctx).Table(t.from(t.name)).Select(t.columns), at)
}

// reached reads published records and those that were merged into them.
func (t *table) reached(ctx context.Context, s *Store, at time.Time) *gorm.DB {
	return t.joined(s.rows(ctx).Table(t.from(t.reachable)).Select(t.columns), at)
}

// byKeys reads published records by key, each beside n, the generation of their family, as of one snapshot. The
// left join returns the generation also when no record is found, as a row of nulls.
func (t *table) byKeys(ctx context.Context, s *Store, keys []int64) *gorm.DB {
	q := s.rows(ctx).Table("generations g").Select("g.gen as n, "+t.columns).Where("g.family = ?", t.family).
		Joins("left join "+t.from(t.name)+" on "+t.column()+" = any (?)", column.Array[int64](keys))
	return t.joined(q, s.Now())
}

// joined adds the join of the table, if it has one.
func (t *table) joined(q *gorm.DB, at time.Time) *gorm.DB {
	if t.join == "" {
		return q
	}
	return q.Joins(t.join, at)
}

// from is a view under the alias of the table.
func (t *table) from(view string) string { return view + " " + t.alias }

// column is the key under the alias.
func (t *table) column() string { return t.alias + "." + t.key }
