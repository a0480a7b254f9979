package claim

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// row is a staged row that has to be looked at.
type row[R any] struct {
	line int64
	data *R
}

// group are the rows of one key, oldest first.
type group[R any] struct {
	key  string
	rows []row[R]
}

// last is the newest row of the group.
func (g *group[R]) last() *R { return g.rows[len(g.rows)-1].data }

// changedRows takes the rows that are not unchanged out of the database, in groups of one key, some thousands at once,
// and counts the others.
func changedRows[R any](ctx context.Context, r *run, do func([]group[R]) error) error {
	if err := r.do(ctx, "changed_rows", args{"source": r.SourceID, "repeated": r.repeats}); err != nil {
		return err
	}
	read := 0
	var left []group[R] // the last key, which may go on
	for {
		n, groups, err := fetchGroups(ctx, r, left)
		if err != nil {
			return err
		}
		if read += n; n == 0 {
			break
		}
		last := len(groups) - 1
		if err := do(groups[:last]); err != nil {
			return err
		}
		left = groups[last:]
	}
	if err := do(left); err != nil {
		return err
	}
	r.applied.Unchanged += r.applied.Rows - read
	r.impact.known += r.applied.Rows - read
	return r.do(ctx, "close_changed_rows", nil)
}

// fetchGroups reads the next rows behind groups that may go on.
func fetchGroups[R any](ctx context.Context, r *run, groups []group[R]) (n int, _ []group[R], err error) {
	rows, err := r.query(ctx, "fetch_changed_rows", nil)
	if err != nil {
		return 0, nil, fmt.Errorf("fetch rows: %w", err)
	}
	var ord, line int64
	var key string
	var text []byte
	_, err = pgx.ForEachRow(rows, []any{&ord, &line, &key, &text}, func() error {
		n++
		data := new(R)
		if err := json.Unmarshal(text, data); err != nil {
			return err
		}
		if last := len(groups) - 1; last < 0 || groups[last].key != key {
			groups = append(groups, group[R]{key: key})
		}
		last := &groups[len(groups)-1]
		last.rows = append(last.rows, row[R]{line: line, data: data})
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("fetch rows: %w", err)
	}
	return n, groups, nil
}

// anotherPerson is why a row is refused whose key belongs to somebody else.
const anotherPerson = "the key is known for another person"

// samePerson asks Same where two descriptions differ at all.
func (r *run) samePerson(known, row snapshot.Identity) bool {
	same := known.Name == row.Name && (known.DOB == nil || row.DOB == nil || *known.DOB == *row.DOB)
	return same || resolve.Same(known, row)
}
