package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
)

func TestARowShowsTheChargeThatIsSought(t *testing.T) {
	t.Parallel()
	b := &models.Booking{RID: 7, Charges: []string{"SPEEDING", "THEFT BY TAKING", "AGGRAVATED ASSAULT"}}
	stated := []*models.BookingCharge{{}, {Statute: new("16-8-2")}, {Statute: new("16-5-21")}}
	for filter, shown := range map[string]string{
		"": "SPEEDING", "theft": "THEFT BY TAKING", "Assault aggr": "AGGRAVATED ASSAULT", "16-5-21": "AGGRAVATED ASSAULT",
		"heft": "SPEEDING", "theft assault": "SPEEDING", // no single charge has both
	} {
		c := sought{match.Words(filter), map[int64][]*models.BookingCharge{7: stated}}.chargeOf(b)
		require.Equal(t, shown, c.Source, filter)
		require.Equal(t, 2, c.More, filter)
	}
	require.Equal(t, "SPEEDING", sought{words: match.Words("16-5-21")}.chargeOf(b).Source, "the source states descriptions only")
	require.Empty(t, sought{}.chargeOf(&models.Booking{}))
}
