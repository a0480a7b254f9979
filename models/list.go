package models

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
)

// condition collects the parts of a WHERE clause with their bound arguments.
type condition struct {
	parts []string
	args  []any
}

// add appends a part in which each ? stands for the next argument.
func (c *condition) add(part string, args ...any) {
	var b strings.Builder
	for _, a := range args {
		before, after, _ := strings.Cut(part, "?")
		b.WriteString(before)
		b.WriteString(c.bind(a))
		part = after
	}
	b.WriteString(part)
	c.parts = append(c.parts, b.String())
}

// bind gives the placeholder of a new argument.
func (c *condition) bind(arg any) string {
	c.args = append(c.args, arg)
	return "$" + strconv.Itoa(len(c.args))
}

func (c *condition) String() string { return strings.Join(c.parts, " and ") }

// maxPatterns bounds the word orders that are spelled out as LIKE patterns; longer queries are
// rechecked by the function name_holds.
const maxPatterns = 3

// addName restricts column to names that answer a query of these folded words: each word within
// a word of its own (DECISIONS.md, "Names"). No words match nothing.
func (c *condition) addName(column string, words []string) {
	if len(words) == 0 {
		c.add("false")
		return
	}
	for _, w := range words { // each alone: what the trigram index answers
		c.add(column+" like ?", "%"+w+"%")
	}
	switch {
	case len(words) == 1:
	case len(words) <= maxPatterns:
		var ors []string
		permute(words, func(p []string) {
			ors = append(ors, column+" like "+c.bind("%"+strings.Join(p, "% %")+"%"))
		})
		c.add("(" + strings.Join(ors, " or ") + ")")
	default:
		c.add("name_holds(string_to_array("+column+", ' '), ?)", words)
	}
}

// permute calls yield with every order of words; the slice is reused.
func permute(words []string, yield func([]string)) {
	p := append([]string(nil), words...)
	var walk func(k int)
	walk = func(k int) {
		if k == len(p) {
			yield(p)
			return
		}
		for i := k; i < len(p); i++ {
			p[k], p[i] = p[i], p[k]
			walk(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	walk(0)
}

// list is what a family's list query is made of.
type list struct {
	family  Family
	table   string // with its alias
	key     string // internal key column
	order   string // ORDER BY of the list over the alias
	carry   string // columns of the order, for picking the page before the rows are read
	columns string
	total   string // SQL of the exact total without reading the records; empty: count the matches
	named   bool   // has a name condition: bound values must shape the plan
	where   condition
	seek    condition // where the page starts: not part of the total; shares where's arguments
	page    Page
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
	if len(l.seek.parts) > 0 {
		from += " and " + l.seek.String()
	}
	alias := strings.Fields(l.table)[1]
	order := l.order
	if matches != "" {
		order = strings.ReplaceAll(order, alias+".", "")
		from = strings.ReplaceAll(from, alias+".", "")
	}
	picked := fmt.Sprintf("select %s from %s order by %s limit %s offset %s",
		strings.ReplaceAll(l.key, alias+".", ""), from, order, w.bind(l.page.Limit+1), w.bind(l.page.Offset))
	key := strings.TrimPrefix(l.key, alias+".")
	return fmt.Sprintf("%sselect t.n, %s from (select (%s)::bigint as n) t left join (select * from %s where %s in (%s)) %s on true order by %s",
		matches, l.columns, total, l.table, key, picked, alias, l.order), w.args
}

// run answers the list by SQL. scan reads one row whose first column goes to total.
func (l *list) run(ctx context.Context, s *Store, scan func(pgx.Rows, *int64) error) (int, error) {
	sql, args := l.sql()
	if l.named {
		// An unnamed statement is planned with its values: a generic plan of LIKE $1 is seven times slower.
		args = append([]any{pgx.QueryExecModeCacheDescribe}, args...)
	}
	rows, err := s.pool.Query(ctx, sql, args...)
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
func (s *Store) indexed(ctx context.Context, f Family, q IndexQuery, read func(keys []int64, at int64) (gen int64, err error)) (total int, more, ok bool, err error) {
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
		return nil, false, Invalid("name", "name must be valid UTF-8 without NUL bytes")
	}
	return match.Words(*name), true, nil
}
