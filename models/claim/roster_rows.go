package claim

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
)

// stagedRow is a row as the server keeps it.
type stagedRow struct {
	line int64
	key  string
	text []byte // JSON
}

// readStaged reads rows of line, key and row.
func readStaged(rows pgx.Rows) (list []stagedRow, err error) {
	var r stagedRow
	_, err = pgx.ForEachRow(rows, []any{&r.line, &r.key, &r.text}, func() error {
		list = append(list, r)
		return nil
	})
	return list, err
}

// groupRows decodes rows, in groups of one key.
func groupRows(list []stagedRow) (groups []group[snapshot.RosterRow], err error) {
	for _, r := range list {
		data := new(snapshot.RosterRow)
		if err := json.Unmarshal(r.text, data); err != nil {
			return nil, err
		}
		if last := len(groups) - 1; last < 0 || groups[last].key != r.key {
			groups = append(groups, group[snapshot.RosterRow]{key: r.key})
		}
		last := &groups[len(groups)-1]
		last.rows = append(last.rows, row[snapshot.RosterRow]{line: r.line, data: data})
	}
	return groups, nil
}

// rowsOf reads the rows of keys.
func (ro *roster) rowsOf(ctx context.Context, keys []string) ([]group[snapshot.RosterRow], error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := ro.query(ctx, "rows_of_keys", args{"keys": keys})
	if err != nil {
		return nil, err
	}
	staged, err := readStaged(rows)
	if err != nil {
		return nil, err
	}
	return groupRows(staged)
}

// eachNew takes the rows of new keys, in the order of booking, some thousands at once. Rows are decoded while the server
// writes those before them.
func (ro *roster) eachNew(ctx context.Context, do func([]group[snapshot.RosterRow]) error) error {
	name := "new_rows_once"
	if ro.repeats {
		name = "new_rows"
	}
	if err := ro.do(ctx, name, args{"source": ro.SourceID}); err != nil {
		return err
	}
	var groups []group[snapshot.RosterRow]
	for {
		staged, err := ro.fetchNew(ctx)
		if err != nil {
			return err
		}
		if len(staged) == 0 {
			break
		}
		decoded := decode(staged)
		whole := max(len(groups)-1, 0) // the last key may go on
		if err := do(groups[:whole]); err != nil {
			return err
		}
		next := <-decoded
		if next.err != nil {
			return fmt.Errorf("read new rows: %w", next.err)
		}
		groups = join(slices.Clone(groups[whole:]), next.groups)
	}
	if err := do(groups); err != nil {
		return err
	}
	return ro.do(ctx, "close_new_rows", nil)
}

func (ro *roster) fetchNew(ctx context.Context) ([]stagedRow, error) {
	rows, err := ro.query(ctx, "fetch_new_rows", nil)
	if err != nil {
		return nil, fmt.Errorf("fetch new rows: %w", err)
	}
	staged, err := readStaged(rows)
	if err != nil {
		return nil, fmt.Errorf("fetch new rows: %w", err)
	}
	return staged, nil
}

// decodedRows are rows that were decoded aside.
type decodedRows struct {
	groups []group[snapshot.RosterRow]
	err    error
}

// decode decodes rows aside.
func decode(staged []stagedRow) <-chan decodedRows {
	done := make(chan decodedRows, 1)
	go func() {
		groups, err := groupRows(staged)
		done <- decodedRows{groups, err}
	}()
	return done
}

// join puts groups behind others, of which the last may be of the same key.
func join(groups, next []group[snapshot.RosterRow]) []group[snapshot.RosterRow] {
	if last := len(groups) - 1; last >= 0 && len(next) > 0 && groups[last].key == next[0].key {
		groups[last].rows = append(groups[last].rows, next[0].rows...)
		next = next[1:]
	}
	return append(groups, next...)
}
