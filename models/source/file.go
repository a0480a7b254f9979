package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models/db"
	"rollcall/models/db/column"
)

// filesAtOnce is how many files one statement stores: PostgreSQL limits the number of arguments.
const filesAtOnce = 1000

// TakenFiles returns the marks of the files that were read from the place where a source's files are dropped,
// by name. A mark stands for the content of a file; one that has another mark now was written again and is
// read again.
func (s *Store) TakenFiles(ctx context.Context, sourceID string) (map[string]string, error) {
	var all []File
	if err := s.rows(ctx).Select("name", "mark").Where("source_id = ?", sourceID).Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read taken files of %s: %w", sourceID, err)
	}
	taken := make(map[string]string, len(all))
	for _, f := range all {
		taken[f.Name] = f.Mark
	}
	return taken, nil
}

// TakeFiles records that a run read files (name to mark), so that they are not read again. A crash before it
// makes the next run read them once more, which changes nothing.
func (s *Store) TakeFiles(ctx context.Context, sourceID string, run int64, marks map[string]string, now time.Time) error {
	if len(marks) == 0 {
		return nil
	}
	taken := make([]File, 0, len(marks))
	for _, name := range slices.Sorted(maps.Keys(marks)) {
		taken = append(taken, File{SourceID: sourceID, Name: name, Mark: marks[name], RunID: &run, TakenAt: now})
	}
	again := clause.OnConflict{
		Columns:   []clause.Column{{Name: "source_id"}, {Name: "name"}},
		DoUpdates: clause.AssignmentColumns([]string{"mark", "run_id", "taken_at"}),
	}
	if err := s.rows(ctx).Clauses(again).CreateInBatches(taken, filesAtOnce).Error; err != nil {
		return fmt.Errorf("record taken files of %s: %w", sourceID, err)
	}
	return nil
}

// ForgetFiles forgets files that were taken before an instant and are not in their place any more. A later
// file of the same name then counts as new.
func (s *Store) ForgetFiles(ctx context.Context, sourceID string, names []string, before time.Time) error {
	err := s.rows(ctx).Where("source_id = ? and name = any (?) and taken_at < ?", sourceID, column.Array[string](names), before).
		Delete(&File{}).Error
	if err != nil {
		return fmt.Errorf("forget files of %s: %w", sourceID, err)
	}
	return nil
}

// ForgetHeldFiles makes the newest files count as new that a source, or its scope, dropped while it was held: nothing of them
// was applied. held is the run that began the hold; nil if none did. lost reports that its documents are gone, so that its
// files count too. Files of a source that reports only changes stay as they are: their runs wait (WaitingRuns).
func (s *Store) ForgetHeldFiles(ctx context.Context, sourceID, scope string, held *int64, lost bool) error {
	_, err := s.Pool().Exec(ctx, statements.Get("forget_held_files"), pgx.NamedArgs{"source": sourceID, "scope": scope, "held": held, "lost": lost})
	if err != nil {
		return fmt.Errorf("forget held files of %s: %w", sourceID, err)
	}
	return nil
}

// HighestNumber returns the highest number in the booking keys of a source: the first group of the regular
// expression pattern, over the keys that match it. It is 0 if none does. A fetch that counts up begins there.
func (s *Store) HighestNumber(ctx context.Context, sourceID, pattern string) (n int, err error) {
	err = db.Raw(s.rows(ctx), statements, "highest_number", pgx.StrictNamedArgs{"source": sourceID, "pattern": pattern}).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("look for the highest number of %s: %w", sourceID, err)
	}
	return n, nil
}

// NoteNothingNew records that the place of a source's files was looked at and holds nothing new. That is a success
// if the source has ever brought a file, but its data grow old. A hold stays (Row.NothingNew).
func (s *Store) NoteNothingNew(ctx context.Context, sourceID string, now time.Time) error {
	return failed("record an empty place of files", sourceID, s.change(ctx, sourceID, func(_ *gorm.DB, src *Row) error {
		src.NothingNew(now)
		return nil
	}))
}
