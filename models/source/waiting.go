package source

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// countsShown is how many reasons QuarantineCounts returns at most. A document that is badly wrong has
// thousands.
const countsShown = 100

// QuarantinedRuns returns the runs of a source that have rows in quarantine and whose documents are still
// there, oldest snapshot first. These are worth a replay after the source's document was corrected.
func (s *Store) QuarantinedRuns(ctx context.Context, sourceID string) ([]int64, error) {
	ids, err := list[int64](ctx, s, "quarantined_runs", pgx.StrictNamedArgs{"source": sourceID})
	if err != nil {
		return nil, fmt.Errorf("list quarantined runs of %s: %w", sourceID, err)
	}
	return ids, nil
}

// open narrows to the rows that are in quarantine now: neither resolved nor expired.
func (s *Store) open(ctx context.Context) *gorm.DB {
	return s.rows(ctx).Model(&QuarantineEntry{}).Where("resolved_at is null and expires_at > ?", s.Now())
}

// stale is the one rule about which rows nobody has to look at any more, though they are kept. A complete snapshot that is newer than
// theirs was applied, so their source does not state them now; or the documents that they stood in are gone, so nothing can read them
// again. A replay has the instant and the documents of the run that it repeats.
const stale = `(exists (
    select from runs mine
    join runs newer on newer.source_id = mine.source_id and newer.snapshot_at > coalesce(mine.snapshot_at, mine.started_at)
    where mine.id = quarantine.run_id and newer.complete and newer.state in ('ok', 'partial')
  ) or exists (
    with recursive up (id) as (
      select quarantine.run_id
      union
      select r.replay_of from runs r join up on up.id = r.id where r.replay_of is not null
    )
    select from up join runs r on r.id = up.id left join archives a on a.run_id = up.id
    having max(r.documents) > 0 and count(a.id) = 0
  ))`

// waiting narrows to those of them that wait for somebody. All counts and lists of waiting rows begin here.
func (s *Store) waiting(ctx context.Context) *gorm.DB {
	return s.open(ctx).Where("ignored_at is null and not " + stale)
}

// earlier narrows to those of them that nobody ignores and that do not wait any more.
func (s *Store) earlier(ctx context.Context) *gorm.DB {
	return s.open(ctx).Where("ignored_at is null and " + stale)
}

// ignored narrows to those of them that an operator ignores until they change.
func (s *Store) ignored(ctx context.Context) *gorm.DB {
	return s.open(ctx).Where("ignored_at is not null")
}

// QuarantineCounts returns the rows of a source that wait in quarantine by field and reason, most rows first. The text
// of rows stays encrypted.
func (s *Store) QuarantineCounts(ctx context.Context, sourceID string) ([]QuarantineCount, error) {
	return counts(s.waiting(ctx), sourceID)
}

// IgnoredCounts is QuarantineCounts of the rows that an operator ignores until they change.
func (s *Store) IgnoredCounts(ctx context.Context, sourceID string) ([]QuarantineCount, error) {
	return counts(s.ignored(ctx), sourceID)
}

// EarlierCounts is QuarantineCounts of the rows of earlier files: a newer complete snapshot was applied, or their documents are gone.
func (s *Store) EarlierCounts(ctx context.Context, sourceID string) ([]QuarantineCount, error) {
	return counts(s.earlier(ctx), sourceID)
}

// counts counts rows of a source by field and reason, most rows first.
func counts(of *gorm.DB, sourceID string) (all []QuarantineCount, err error) {
	err = of.Where("source_id = ?", sourceID).
		Select("field, reason, count(*) as rows, max(last_at) as last, sum(times) as times").
		Group("field, reason").Order("count(*) desc, field, reason").Limit(countsShown).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("read quarantine: %w", err)
	}
	return all, nil
}

// PendingCounts returns what a source and its counties reported of cases and bookings that nobody has reported
// themselves, by family. It takes effect when the case or booking comes, so no operator has to look at it.
func (s *Store) PendingCounts(ctx context.Context, sourceID string) (all []PendingCount, err error) {
	err = s.rows(ctx).Model(&PendingClaim{}).
		Where("source_id in (select id from sources where id = @id or parent = @id)", sql.Named("id", sourceID)).
		Select("family, count(*) as claims, max(said_at) as last").Group("family").Order("family").Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("count what waits: %w", err)
	}
	return all, nil
}

// QuarantineSizes returns how many different rows of each source wait in quarantine. A source without any row is
// left out.
func (s *Store) QuarantineSizes(ctx context.Context) (map[string]int, error) {
	return sizes(s.waiting(ctx))
}

// IgnoredSizes is QuarantineSizes of the rows that an operator ignores until they change.
func (s *Store) IgnoredSizes(ctx context.Context) (map[string]int, error) {
	return sizes(s.ignored(ctx))
}

// sizes counts rows by source.
func sizes(of *gorm.DB) (map[string]int, error) {
	var all []struct {
		SourceID string
		N        int
	}
	err := of.Select("source_id, count(*) as n").Group("source_id").Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("count quarantine: %w", err)
	}
	out := make(map[string]int, len(all))
	for _, one := range all {
		out[one.SourceID] = one.N
	}
	return out, nil
}

// WaitingRows returns up to limit rows of a source that wait in quarantine, the latest first, without the first skip of them. Their
// text is encrypted.
func (s *Store) WaitingRows(ctx context.Context, sourceID string, skip, limit int) (all []WaitingRow, err error) {
	err = s.waiting(ctx).Where("source_id = ?", sourceID).Select("run_id as run, line, field, reason, times, last_at as last, encrypted").
		Order("last_at desc, line, id").Offset(skip).Limit(limit).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("list quarantine of %s: %w", sourceID, err)
	}
	return all, nil
}
