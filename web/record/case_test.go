package record

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestABirthIsThatOfTheOnlySureRecord(t *testing.T) {
	t.Parallel()
	record := func(c models.Confidence) link {
		return link{Confidence: c, Offender: &models.CorrectionsRecord{Dob: &models.Date{Year: 1980, Month: 1, Day: 2}}}
	}
	sure := record(models.High)
	require.Equal(t, sure.Offender, surest([]link{record(models.Low), sure, record(models.Medium)}))
	require.Nil(t, surest([]link{record(models.Medium)}))
	require.Nil(t, surest([]link{sure, record(models.High)}), "two people may be meant")
	require.Nil(t, surest(nil))
}
