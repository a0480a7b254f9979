package models_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestCents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cents                  models.Cents
		number, decimal, plain string
	}{
		{0, "0", "0.00", "$0"},
		{5, "0.05", "0.05", "$0.05"},
		{50, "0.5", "0.50", "$0.50"},
		{50000, "500", "500.00", "$500"},
		{50050, "500.5", "500.50", "$500.50"},
		{125025, "1250.25", "1250.25", "$1,250.25"},
		{123456789, "1234567.89", "1234567.89", "$1,234,567.89"},
		{100000, "1000", "1000.00", "$1,000"},
		{-5, "-0.05", "-0.05", "-$0.05"},
		{-50000, "-500", "-500.00", "-$500"},
		{-125025, "-1250.25", "-1250.25", "-$1,250.25"},
		{math.MaxInt64, "92233720368547758.07", "92233720368547758.07", "$92,233,720,368,547,758.07"},
		{math.MinInt64, "-92233720368547758.08", "-92233720368547758.08", "-$92,233,720,368,547,758.08"},
	} {
		b, err := json.Marshal(c.cents)
		require.NoError(t, err)
		require.Equal(t, c.number, string(b))
		require.Equal(t, c.decimal, c.cents.Decimal())
		require.Equal(t, c.plain, c.cents.String())
		back, err := models.ParseCents(c.decimal)
		require.NoError(t, err)
		require.Equal(t, c.cents, back)
	}
	require.InDelta(t, 1250.25, models.Cents(125025).Dollars(), 0)
}

func TestParseCentsRefusesWhatIsNoAmount(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "-", ".", ".50", "5.", "5.123", "1,000", "$5", "+5", "--5", "1e3", "5.-1", " 5", "٣", "92233720368547758.08", "-92233720368547758.09"} {
		_, err := models.ParseCents(text)
		require.Error(t, err, "%q", text)
	}
	for text, want := range map[string]models.Cents{"5": 500, "5.1": 510, "-0.5": -50, "007": 700} {
		got, err := models.ParseCents(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// FuzzCents reads back what each way of writing an amount wrote.
func FuzzCents(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 99, 100, -12345, math.MaxInt64, math.MinInt64} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		c := models.Cents(n)
		for _, text := range []string{c.Decimal(), string(c.AppendTo(nil)), strings.NewReplacer("$", "", ",", "").Replace(c.String())} {
			back, err := models.ParseCents(text)
			require.NoError(t, err, text)
			require.Equal(t, c, back, text)
		}
		require.True(t, json.Valid(c.AppendTo(nil)))
	})
}
