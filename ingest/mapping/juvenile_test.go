package mapping_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/mapping"
	"rollcall/models"
)

func TestJuvenileIsUnderSeventeen(t *testing.T) {
	t.Parallel()
	dob := models.Date{Year: 2009, Month: 3, Day: 8}
	require.Equal(t, models.WithheldJuvenile, mapping.Juvenile(&dob, time.Date(2026, 3, 7, 12, 0, 0, 0, models.Georgia)))
	require.Empty(t, mapping.Juvenile(&dob, time.Date(2026, 3, 8, 0, 0, 0, 0, models.Georgia)))
	require.Empty(t, mapping.Juvenile(nil, time.Date(2026, 3, 8, 0, 0, 0, 0, models.Georgia)))
}
