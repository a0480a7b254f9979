package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// FiredBy returns how many alerts what a run changed has fired, whoever's they are. known is false while some of it is not
// matched yet, and where the run changed nothing or is long ago.
func (s *Store) FiredBy(ctx context.Context, run int64) (alerts int, known bool, err error) {
	args := pgx.StrictNamedArgs{"run": run}
	if err := s.Pool().QueryRow(ctx, statements.Get("fired_by_run"), args).Scan(&alerts, &known); err != nil {
		return 0, false, fmt.Errorf("count the alerts that run %d fired: %w", run, err)
	}
	return alerts, known, nil
}
