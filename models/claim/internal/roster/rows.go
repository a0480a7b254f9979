package roster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
)

// stagedRow is a row as the server keeps it, not decoded yet.
type stagedRow struct {
	line int64
	key  string
	text []byte // JSON
}

// readStaged reads rows of three columns: line, key and row.
func readStaged(rows pgx.Rows) (list []stagedRow, err error) {
	var r stagedRow
	_, err = pgx.ForEachRow(rows, []any{&r.line, &r.key, &r.text}, func() error {
		list = append(list, r)
		return nil
	})
	return list, err
}

// groupRows decodes rows, in groups of one key. Rows of a key must follow each other.
func groupRows(list []stagedRow) (groups []engine.Group[snapshot.RosterRow], err error) {
	for _, r := range list {
		data := new(snapshot.RosterRow)
		if err := json.Unmarshal(r.text, data); err != nil {
			return nil, err
		}
		if last := len(groups) - 1; last < 0 || groups[last].Key != r.key {
			groups = append(groups, engine.Group[snapshot.RosterRow]{Key: r.key})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, engine.Row[snapshot.RosterRow]{Line: r.line, Data: data})
	}
	return groups, nil
}

// rowsOf reads all staged rows of some keys, in groups.
func (ro *roster) rowsOf(ctx context.Context, keys []string) ([]engine.Group[snapshot.RosterRow], error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := ro.Query(ctx, "rows_of_keys", engine.Args{"keys": keys})
	if err != nil {
		return nil, err
	}
	staged, err := readStaged(rows)
	if err != nil {
		return nil, err
	}
	return groupRows(staged)
}

// eachNew calls do with the rows of new keys, in groups and in the order of booking, some thousands at once. Rows are decoded
// by another goroutine while do writes those before them.
// A first load of a million bookings passes here, so no more than two chunks of rows are in memory at once.
func (ro *roster) eachNew(ctx context.Context, do func([]engine.Group[snapshot.RosterRow]) error) error {
	// Without repeated keys there are no rows of one key to be kept together.
	name := "new_rows_once"
	if ro.Repeats {
		name = "new_rows"
	}
	if err := ro.Do(ctx, name, engine.Args{"source": ro.SourceID}); err != nil {
		return err
	}
	var groups []engine.Group[snapshot.RosterRow]
	for {
		staged, err := ro.fetchNew(ctx)
		if err != nil {
			return err
		}
		if len(staged) == 0 {
			break
		}
		// The next rows are decoded while the groups before them are folded and written.
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
	return ro.Do(ctx, "close_new_rows", nil)
}

// fetchNew reads the next rows of new keys; none at the end.
func (ro *roster) fetchNew(ctx context.Context) ([]stagedRow, error) {
	rows, err := ro.Query(ctx, "fetch_new_rows", nil)
	if err != nil {
		return nil, fmt.Errorf("fetch new rows: %w", err)
	}
	staged, err := readStaged(rows)
	if err != nil {
		return nil, fmt.Errorf("fetch new rows: %w", err)
	}
	return staged, nil
}

// decodedRows are rows that another goroutine decoded, or why it could not.
type decodedRows struct {
	groups []engine.Group[snapshot.RosterRow]
	err    error
}

// decode decodes rows in another goroutine. The channel has room for its answer, so nobody has to read it.
func decode(staged []stagedRow) <-chan decodedRows {
	done := make(chan decodedRows, 1)
	go func() {
		groups, err := groupRows(staged)
		done <- decodedRows{groups, err}
	}()
	return done
}

// join appends groups to others, whose last group may be of the same key.
func join(groups, next []engine.Group[snapshot.RosterRow]) []engine.Group[snapshot.RosterRow] {
	if last := len(groups) - 1; last >= 0 && len(next) > 0 && groups[last].Key == next[0].Key {
		groups[last].Rows = append(groups[last].Rows, next[0].Rows...)
		next = next[1:]
	}
	return append(groups, next...)
}
