package pg

import (
	"context"
	"fmt"
)

// fetch gets binaries that the machine lacks.
func fetch(_ context.Context, _ Options, _ account, _ int, _ bool) (binaries, error) {
	return binaries{}, fmt.Errorf("%w: install postgresql, set ROLLCALL_PG_BIN to a directory with its programs, or set ROLLCALL_DATABASE_URL", ErrNoBinaries)
}
