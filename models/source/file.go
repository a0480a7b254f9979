package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// TakenFiles gives the marks of the files that were read from the place where a source's files are
// dropped, by name. A file whose mark is another one now was written again.
func (s *Store) TakenFiles(ctx context.Context, sourceID string) (map[string]string, error) {
	rows, err := s.Pool().Query(ctx, `select name, mark from source_files where source_id = $1`, sourceID)
	if err != nil {
		return nil, fmt.Errorf("read taken files of %s: %w", sourceID, err)
	}
	taken := map[string]string{}
	var name, mark string
	_, err = pgx.ForEachRow(rows, []any{&name, &mark}, func() error {
		taken[name] = mark
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read taken files of %s: %w", sourceID, err)
	}
	return taken, nil
}

// TakeFiles notes that files (name to mark) were read, so that they are not read again. A crash before
// it reads them once more, which changes nothing.
func (s *Store) TakeFiles(ctx context.Context, sourceID string, files map[string]string, now time.Time) error {
	names := slices.Sorted(maps.Keys(files))
	marks := make([]string, len(names))
	for i, name := range names {
		marks[i] = files[name]
	}
	_, err := s.Pool().Exec(ctx, `insert into source_files (source_id, name, mark, taken_at) select $1, n, m, $4 from unnest($2::text[], $3::text[]) as f (n, m)
 on conflict (source_id, name) do update set mark = excluded.mark, taken_at = excluded.taken_at`, sourceID, names, marks, now)
	if err != nil {
		return fmt.Errorf("note taken files of %s: %w", sourceID, err)
	}
	return nil
}

// ForgetFiles forgets files that were taken before an instant and lie there no more.
func (s *Store) ForgetFiles(ctx context.Context, sourceID string, names []string, before time.Time) error {
	_, err := s.Pool().Exec(ctx, `delete from source_files where source_id = $1 and name = any($2) and taken_at < $3`, sourceID, names, before)
	if err != nil {
		return fmt.Errorf("forget files of %s: %w", sourceID, err)
	}
	return nil
}

// HighestNumber gives the highest number in the booking keys of a source: the first group of a regular
// expression, of the keys that fit it. 0: none does.
func (s *Store) HighestNumber(ctx context.Context, sourceID, pattern string) (n int, err error) {
	err = s.Pool().QueryRow(ctx, `select coalesce(max((regexp_match(booking_key, $2))[1]::bigint), 0) from sightings where source_id = $1`, sourceID, pattern).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("look for the highest number of %s: %w", sourceID, err)
	}
	return n, nil
}

// NoteNothingNew notes that the place of a source's files was looked at and holds nothing new. A hold
// stays, and how old the data is shows that nothing came. It is no success until something was taken from
// a file: nobody is known by the source, and its first file is yet to be the baseline.
func (s *Store) NoteNothingNew(ctx context.Context, sourceID string, now time.Time) error {
	_, err := s.Pool().Exec(ctx, `update sources set last_attempt = $2, failures = 0, not_before = null,
 last_success = case when coalesce(data_at, last_applied) is not null then $2 else last_success end,
 note = case when held_since is not null then note when coalesce(data_at, last_applied) is null then 'nothing was taken from a file yet' when failures = 0 then note end where id = $1`, sourceID, now)
	if err != nil {
		return fmt.Errorf("note that nothing is new of %s: %w", sourceID, err)
	}
	return nil
}
