package record

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

// list is what a family's list query is made of.
type list struct {
	family  models.Family
	table   string // with its alias
	key     string // internal key column
	order   string // ORDER BY of the list over the alias
	carry   string // columns of the order, for picking the page before the rows are read
	columns string
	total   string // SQL of the exact total without reading the records; empty: count the matches
	named   bool   // has a name condition: bound values must shape the plan
	where   db.Condition
	seek    db.Condition // where the page starts: not part of the total; shares where's arguments
	page    models.Page
}

// sql gives one statement that answers a page and its exact total from one snapshot. The first
// column is the total; a page past the end is one row of nulls beside it. One row more than
// the limit is asked for, to know whether there is a next page.
func (l *list) sql() (string, []any) {
	w := &l.where
	from := l.table + " where " + w.String()
	matches, total := "", l.total
	if total == "" {
		matches = fmt.Sprintf("with m as materialized (select %s, %s from %s) ", l.key, l.carry, from)
		total = "select count(*) from m"
		from = "m where true"
	}
	if len(l.seek.Parts) > 0 {
		from += " and " + l.seek.String()
	}
	alias := strings.Fields(l.table)[1]
	order := l.order
	if matches != "" {
		order = strings.ReplaceAll(order, alias+".", "")
		from = strings.ReplaceAll(from, alias+".", "")
	}
	picked := fmt.Sprintf("select %s from %s order by %s limit %s offset %s",
		strings.ReplaceAll(l.key, alias+".", ""), from, order, w.Bind(l.page.Limit+1), w.Bind(l.page.Offset))
	key := strings.TrimPrefix(l.key, alias+".")
	return fmt.Sprintf("%sselect t.n, %s from (select (%s)::bigint as n) t left join (select * from %s where %s in (%s)) %s on true order by %s",
		matches, l.columns, total, l.table, key, picked, alias, l.order), w.Args
}

// run answers the list by SQL. scan reads one row whose first column goes to total.
func (l *list) run(ctx context.Context, s *Store, scan func(pgx.Rows, *int64) error) (int, error) {
	sql, args := l.sql()
	if l.named {
		// An unnamed statement is planned with its values: a generic plan of LIKE $1 is seven times slower.
		args = append([]any{pgx.QueryExecModeCacheDescribe}, args...)
	}
	rows, err := s.Pool().Query(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("list %s: %w", l.family, err)
	}
	defer rows.Close()
	var total int64
	for rows.Next() {
		if err := scan(rows, &total); err != nil {
			return 0, fmt.Errorf("read list of %s: %w", l.family, err)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("list %s: %w", l.family, err)
	}
	return int(total), nil
}

// indexTries is how often a list query waits for its index to catch up before SQL answers it.
const indexTries = 2

// indexed answers a list from the family's index: the page's keys and the total from memory, the
// rows by key, kept ones or in one statement that also reads the generation, so that rows and total are of
// one snapshot. ok is false when SQL must answer.
func (s *Store) indexed(ctx context.Context, f models.Family, q models.IndexQuery, read func(keys []int64, at int64) (gen int64, err error)) (total int, more, ok bool, err error) {
	ix := s.index[f]
	if ix == nil {
		return 0, false, false, nil
	}
	limit := q.Limit
	q.Limit++
	for range indexTries {
		found, loaded := ix.Find(q)
		if !loaded {
			return 0, false, false, nil
		}
		keys := found.Keys[:min(len(found.Keys), limit)]
		gen, err := read(keys, found.Gen)
		if err != nil {
			return 0, false, false, err
		}
		if gen == found.Gen {
			return found.Total, len(found.Keys) > limit, true, nil
		}
		if ix.CatchUp(ctx, gen) != nil { // SQL answers instead
			return 0, false, false, nil //nolint:nilerr // see above
		}
	}
	return 0, false, false, nil
}

// nameWords folds a name query; given is false when there is no name filter. A name of blanks is
// one that folds to nothing, and so matches nothing.
func nameWords(name *string) (words []string, given bool, err error) {
	if name == nil || *name == "" {
		return nil, false, nil
	}
	if strings.ContainsRune(*name, 0) || !utf8.ValidString(*name) {
		return nil, false, models.Invalid("name", "name must be valid UTF-8 without NUL bytes")
	}
	return match.Words(*name), true, nil
}
