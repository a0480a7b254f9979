package record

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/column"
)

// table is where the records of a family are read, and what is read of one. List pages are scanned by pgx and
// loaders by GORM: both read these columns. Every name here is a word of this package, so statements may be
// put together of them.
type table struct {
	family models.Family
	// name is the view of the published records.
	name string
	// reachable is the view of these and of those that were merged into them.
	reachable string
	// versions is the view of the versions of reachable records.
	versions string
	// alias is the name of the view in statements, which columns and conditions begin with.
	alias string
	// key is the column of the internal key.
	key string
	// columns are in the order in which the list's row scans them.
	columns string
	// join, if any, adds what the columns show of the moment of reading, which each ? stands for.
	join string
}

// The tables of the families.
var (
	rosterTable = table{
		family: models.Roster, name: "published_bookings", reachable: "reachable_bookings", versions: "reachable_booking_versions",
		alias: "b", key: "rid", columns: bookingColumns,
	}
	courtTable = table{
		family: models.Courts, name: "published_cases", reachable: "reachable_cases", versions: "reachable_case_versions",
		alias: "c", key: "id", columns: courtColumns, join: nextHearing,
	}
	correctionsTable = table{
		family: models.Corrections, name: "published_corrections", reachable: "reachable_corrections", versions: "reachable_corrections_versions",
		alias: "o", key: "cid", columns: correctionsColumns,
	}
)

// tables are those of all families.
var tables = []*table{&rosterTable, &courtTable, &correctionsTable}

// rows begins a read of published records by GORM. at is the moment of reading.
func (t *table) rows(ctx context.Context, s *Store, at time.Time) *gorm.DB {
	return t.joined(s.rows(ctx).Table(t.name+" "+t.alias).Select(t.columns), at)
}

// reached begins a read of published records and of those that were merged into them.
func (t *table) reached(ctx context.Context, s *Store, at time.Time) *gorm.DB {
	return t.joined(s.rows(ctx).Table(t.reachable+" "+t.alias).Select(t.columns), at)
}

// byKeys begins a read of published records and the generation of their family, as of one snapshot, by GORM.
func (t *table) byKeys(ctx context.Context, s *Store, keys []int64) *gorm.DB {
	q := s.rows(ctx).Table(t.name+" "+t.alias).Select("g.gen, "+t.columns).Joins("join generations g on g.family = ?", t.family)
	return t.joined(q, s.Now()).Where(t.alias+"."+t.key+" = any (?)", column.Array[int64](keys))
}

// joined adds the join of the table, if it has one.
func (t *table) joined(q *gorm.DB, at time.Time) *gorm.DB {
	if t.join == "" {
		return q
	}
	return q.Joins(t.join, at)
}

// byKey is one statement for published records by key ($1) and the generation of their family. $2 is the
// moment of reading, for tables that have a join. The left join returns the generation also when no record is
// found, as a row of nulls:
//
//	select g.gen, b.rid, ... from generations g left join published_bookings b on b.rid = any($1) where g.family = 'roster'
func (t *table) byKey() string {
	return "select g.gen, " + t.columns + " from generations g left join " + t.name + " " + t.alias +
		" on " + t.alias + "." + t.key + " = any($1)" + strings.ReplaceAll(t.join, "?", "$2") +
		" where g.family = '" + string(t.family) + "'"
}
