package models_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestWhatIsLoggedOfTheDatabaseHasNoValues(t *testing.T) {
	t.Parallel()
	pg := &pgconn.PgError{Severity: "ERROR", Code: "22P02", Message: `invalid input syntax for type date: "MARLOWE, TESS"`}
	got := models.WithoutValues(fmt.Errorf("list bookings: %w", pg))
	require.Equal(t, "list bookings: ERROR: [message] (SQLSTATE 22P02)", got)
	require.Equal(t, "read sources: away", models.WithoutValues(fmt.Errorf("read sources: %w", errors.New("away"))))
}
