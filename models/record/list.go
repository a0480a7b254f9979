package record

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

// countersSum is what reads the total of a list from counters.
const countersSum = "coalesce(sum(n), 0)::bigint as n"

// list is the page of a family that a filter asks for, by SQL. The list functions of the families fill it in.
type list[R any] struct {
	*records[R]
	// order is the ORDER BY of the list, over the alias of the table.
	order string
	// carry are the columns of the order: the page is picked by them before its rows are read.
	carry string
	// where holds the filters.
	where func(*gorm.DB) *gorm.DB
	// total reads the exact total from counters; nil if the matches must be counted.
	total *gorm.DB
	// words are those of a name condition, none without one. where finds the candidates.
	words []string
	// ahead is the condition of those that come first among equally close names.
	ahead string
	// seek is where the page starts; nil is at the first match. It is no part of the total.
	seek *seek
	page models.Page
}

// seek is the condition of the records behind a cursor, with its values.
type seek struct {
	cond string
	args []any
}

// openSeek reads the cursor of a page of a family; nil without one.
func openSeek[S any](s *Store, f models.Family, p models.Page) (*S, error) {
	if p.After == "" {
		return nil, nil //nolint:nilnil // no cursor is no error
	}
	at := new(S)
	return at, s.OpenCursor(string(f), p.After, at)
}

// ranked is the position of a cursor in an order that is not the list's own: how many records come before.
type ranked struct {
	Before int `json:"b"`
}

// openOrder returns the page with the offset that a cursor of its order means. Relevance without a name is the list's own
// order, whose cursors openSeek reads.
func (s *Store) openOrder(f models.Family, p models.Page, named bool) (models.Page, error) {
	if p.Order == models.OrderRelevance && !named {
		p.Order = models.OrderOwn
	}
	if p.Order == models.OrderOwn || p.After == "" {
		return p, nil
	}
	var at ranked
	err := s.OpenCursor(cursorOf(f, p.Order), p.After, &at)
	p.After, p.Offset = "", at.Before
	return p, err
}

// sealOrder returns how the cursor behind n records of a page is made, in an order that is not the list's own.
func (s *Store) sealOrder(f models.Family, p models.Page, n int) func() (string, error) {
	return func() (string, error) { return s.SealCursor(cursorOf(f, p.Order), ranked{p.Offset + n}) }
}

// cursorOf names the cursors of an order of a list.
func cursorOf(f models.Family, o models.Order) string { return string(f) + " by " + string(o) }

// query is one statement for a page of a list without a name beside its exact total n, from one snapshot; a page past the end is one row of nulls
// beside n. It asks for one row more than the limit, to know whether there is a next page. With a total from the counters it
// is, shortened:
//
//	select p.n, b.rid, b.id, ...
//	from (select t.n, p.* from (select sum(n) as n from roster_totals where ...) t
//	  left join (select b.rid from published_bookings b where ... order by ... limit 51) p on true) p
//	left join published_bookings b on b.rid = p.rid
//	order by ...
//
// Matches that have to be counted are found once, in a common table expression m under the alias of the table.
func (l *list[R]) query(ctx context.Context, s *Store) *gorm.DB {
	on, key := s.rows(ctx), l.column()
	picked, total := l.where(on.Table(l.from(l.name))), l.total
	page, args := "select t.n, p.* from (?) t left join (?) p on true", []any{}
	if total == nil {
		page, args = "with m as materialized (?) "+page, append(args, picked.Select(key+", "+l.carry))
		picked, total = on.Table(l.from("m")), on.Table("m").Select("count(*) as n")
	}
	if l.seek != nil {
		picked = picked.Where(l.seek.cond, l.seek.args...)
	}
	picked = picked.Select(key).Order(l.order).Limit(l.page.Limit + 1).Offset(l.page.Offset)
	q := on.Table("("+page+") p", append(args, total, picked)...).Select("p.n, " + l.columns).
		Joins("left join " + l.from(l.name) + " on " + key + " = p." + l.key)
	return l.joined(q, s.Now()).Order(l.order)
}

// listTime ends the statements of a list that SQL answers. The index answers in a millisecond, so a list that takes longer
// than this holds a connection that others need more.
const listTime = 3 * time.Second

// read answers the list by SQL and returns the page, the total, and whether there is a next page. All of it is of one
// snapshot.
func (l *list[R]) read(ctx context.Context, s *Store) (found []*R, total int, more bool, err error) {
	err = pgx.BeginTxFunc(ctx, s.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local statement_timeout = `+strconv.FormatInt(listTime.Milliseconds(), 10)); err != nil {
			return err
		}
		if len(l.words) > 0 {
			found, total, err = l.readNamed(ctx, s, tx)
			return err
		}
		var n int64
		found, n, err = l.scan(ctx, s, tx, l.query(ctx, s))
		total = int(n)
		return err
	})
	if err != nil {
		return nil, 0, false, fmt.Errorf("list %s: %w", l.family, err)
	}
	if len(found) > l.page.Limit {
		found, more = found[:l.page.Limit], true
	}
	return found, total, more, nil
}

// readNamed reads the page of a list with a name, and one record more.
func (l *list[R]) readNamed(ctx context.Context, s *Store, tx pgx.Tx) ([]*R, int, error) {
	keys, total, err := l.pick(ctx, s, tx)
	if err != nil || len(keys) == 0 {
		return []*R{}, total, err
	}
	found, _, err := l.scan(ctx, s, tx, l.byKeys(ctx, s, keys))
	return db.InOrder(db.ByKey(found, l.keyOf), keys), total, err
}

// pick returns the keys of the page, and of one record more: SQL finds the candidates in the order of the list, and match.Holds decides
// about each.
func (l *list[R]) pick(ctx context.Context, s *Store, on querier) ([]int64, int, error) {
	sql, args, err := db.Text(l.candidates(ctx, s))
	if err != nil {
		return nil, 0, err
	}
	// An unnamed statement is planned with its values: a generic plan of LIKE $1 is seven times slower.
	rows, err := on.Query(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
	if err != nil {
		return nil, 0, err
	}
	var (
		one   candidate
		pick  = l.picker()
		total int
	)
	_, err = pgx.ForEachRow(rows, []any{&one.key, &one.name, &one.behind, &one.ahead}, func() error {
		if len(l.words) == 0 || match.Holds(one.name, l.words) {
			total++
			pick.see(&one)
		}
		return nil
	})
	if err != nil {
		return nil, total, err
	}
	return pick.page(), total, nil
}

// candidates reads, in the order of the list, the keys and folded names that a name may be in, whether the page may hold
// them, and whether they come first among equals: all matches count, those behind the cursor are shown.
func (l *list[R]) candidates(ctx context.Context, s *Store) *gorm.DB {
	q := l.where(s.rows(ctx).Table(l.from(l.name))).Order(l.order)
	behind := seek{cond: "true"}
	if l.seek != nil {
		behind = *l.seek
	}
	return q.Select(l.column()+", "+l.alias+".name_key, "+behind.cond+", "+l.ahead, behind.args...)
}

// indexTries is how often a list query waits for its index to catch up before SQL answers it.
const indexTries = 2

// indexed answers a list from the family's index: the keys of the page and the total come from memory, the
// rows are read by key, from the record cache or by one statement that also reads the generation. So rows and
// total are of one snapshot. If a commit came in between, the index catches up and the page is read again. ok
// is false when SQL must answer.
func (s *Store) indexed(ctx context.Context, f models.Family, q models.IndexQuery,
	read func(keys []int64, at int64) (gen int64, err error),
) (total int, more, ok bool, err error) {
	ix := s.index[f]
	if ix == nil {
		return 0, false, false, nil
	}
	limit := q.Limit
	// One more than the page shows whether there is another, as in SQL.
	q.Limit++
	// The index and the rows are read at two moments. A commit in between shows in the generation of the
	// rows.
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
		// Rows and index are of one generation, so total and page fit together.
		if gen == found.Gen {
			return found.Total, len(found.Keys) > limit, true, nil
		}
		if ix.CatchUp(ctx, gen) != nil { // SQL answers instead
			return 0, false, false, nil //nolint:nilerr // see above
		}
	}
	return 0, false, false, nil
}
