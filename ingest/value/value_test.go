package value_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/value"
)

func TestMoney(t *testing.T) {
	t.Parallel()
	cases := map[string]int64{ // 0: names no amount
		"$1500.00 ( Bonding company: NONE )": 150000, "$1300": 130000, "$1,250.50": 125050, "$ 500.00 Fees: $ 35.00": 50000, "Cash/Surety, $50000.00": 5000000, "250": 25000,
		"NO BOND @ ARREST - SEE JUDGE": 0, "No Bond $500": 0, "Bond last updated 1/1/1900": 0, "Cash or Surety": 0, "$0.00": 0, "$": 0, "": 0, "1/1/1900": 0, "$99999999999999999999": 0, "$.50": 50, "$1.2.3": 0,
		"$1,234,500": 123450000, "$500.00CASH": 50000, "$500, cash": 50000, "$5OO.00": 0, "$1,5": 0, "$1,5OO": 0, "$1.500,00": 0, "$5K": 0,
		"$5.000.00": 0, "$ 1 500.00": 0, "$1 500": 0, "5.000": 0, "$1.500": 0, "$5..00": 0, "$1 ,500.00": 0, "$1,500 .50": 0, "$1500,000": 0, "$,500.00": 0, "$1'500.00": 0, "$1;500": 0, "$10%": 0, "1 500.00": 0,
		"$1500.0000": 150000, "1500.5": 150050, "$500.00 10/12/2026": 50000, "$500 (2 counts)": 50000, "$2500/10%": 250000, "$500.": 50000, "$1500.001": 0, "$1500.0010": 0, "$500; cash": 50000,
		"$1500 - $2500": 0, "$1500-2500": 0, "$1,500 to 2,500": 0, "1500 - $2500": 0, "$1,500.00/$2,000.00": 0, "$500 CASH OR $1000 PROPERTY": 0, "$500 + $250": 0, "$500/1000": 0, "$500 $500": 0,
		"$1,500.00 x 2": 0, "$1500X2": 0, "2 @ $500": 0, "3 counts @ $500.00": 0, "2 x $500": 0, "$500 each": 0, "$500.00 EA": 0, "$500 per charge": 0, "CASH BOND 10% OF $5000": 0, "10% $5000": 0,
		"$500.00 + $35.00 fees": 50000, "Cash: $ 500.00 Costs: $ 35.00": 50000, "$500.00 - 10/12/2026": 50000, "$500.00 ($0.00 PAID)": 50000, "$500 per Judge Winterbourne": 50000,
		"Bond set @ $500": 50000, "BOND# 2026-001 $500.00": 50000, "Case 26-100 $1,000": 100000, "$500 / 2 counts": 50000, "$500 - 2026-001": 50000, "$500 cash": 50000, "Ct 1 - $500": 50000,
	}
	for text, want := range cases {
		cents, ok := value.Money(text)
		require.Equal(t, want, cents*boolInt(ok), text)
	}
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func TestCivilTimesOfGeorgia(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, wall, want string }{
		{"winter", "2026-01-15 12:00", "2026-01-15T12:00:00-05:00"},
		{"summer", "2026-07-15 12:00", "2026-07-15T12:00:00-04:00"},
		{"an hour that happens twice is the first", "2026-11-01 01:30", "2026-11-01T01:30:00-04:00"},
		{"the hour after it", "2026-11-01 02:00", "2026-11-01T02:00:00-05:00"},
		{"an hour that is left out moves forward", "2026-03-08 02:30", "2026-03-08T03:30:00-04:00"},
		{"the hour after that", "2026-03-08 03:00", "2026-03-08T03:00:00-04:00"},
		{"the evening before", "2026-03-07 23:30", "2026-03-07T23:30:00-05:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, err := time.Parse("2006-01-02 15:04", c.wall)
			require.NoError(t, err)
			got := value.Civil(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), 0, 0)
			require.Equal(t, c.want, got.Format(time.RFC3339))
		})
	}
}

func TestSqueeze(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"  JANE   DOE ":                           "JANE DOE",
		"JANE\u00a0\u2003DOE\r\n":                 "JANE DOE",
		"JANE\x1fDOE":                             "JANE DOE",
		"DOE\x1b]0;pwned\x07\x1b[31mRED":          "DOE]0;pwned[31mRED",
		"DOE\u009b31m":                            "DOE31m",
		"DOE\x7f\x08":                             "DOE",
		"DOE\u202e, ENAJ\u202c":                   "DOE, ENAJ",
		"\u2066DOE\u2069\u200b\ufeff\u00ad\ue000": "DOE",
		"123\u00ad45\u200b\u20606789\u200bX":      "123 45 6789X", // joined, they would be another number
		"1\u200b23-45-6789":                       "123-45-6789",  // parted, nobody would find it
		"GARCÍA, JOSÉ":                            "GARCÍA, JOSÉ",
		"DOE\x00":                                 "DOE\x00",
		"D\xffOE":                                 "D\xffOE",
		"":                                        "",
		" \x1b ":                                  "",
	} {
		require.Equal(t, want, value.Squeeze(said))
		require.Equal(t, want, value.Squeeze(want))
	}
}
