package ssn_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"rollcall/internal/ssn"
)

func TestNumbersAreBlottedInAnyForm(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"123-45-6789":                     "***-**-****",
		"SSN 123-45-6789 noted":           "SSN ***-**-**** noted",
		"x123-45-6789y":                   "x***-**-****y",
		"2026-123-45-6789":                "2026-***-**-****",
		"123–45–6789":                     "***–**–****", // en dash
		"123\u201145\u20116789":           "***\u2011**\u2011****",
		"123\u221245\u22126789":           "***\u2212**\u2212****",
		"123—45-6789":                     "***—**-****",
		"123\uff0d45\uff0d6789":           "***\uff0d**\uff0d****",
		"１２３－４５－６７８９":                     "***－**－****",
		"SSN １２３４５６７８９":                   "SSN *********",
		"ＳＳＮ：123456789":                   "ＳＳＮ：*********",
		"١٢٣-٤٥-٦٧٨٩":                     "***-**-****",
		"123 45 6789":                     "*** ** ****",
		"123\u00a045\u20036789":           "***\u00a0**\u2003****",
		"123.45.6789":                     "***.**.****",
		"123·45·6789":                     "***·**·****",
		"123/45/6789":                     "***/**/****",
		"123_45_6789":                     "***_**_****",
		"123 - 45 - 6789":                 "*** - ** - ****",
		"123--45--6789":                   "***--**--****",
		"123 -- 45 -- 6789":               "*** -- ** -- ****",
		"123-45 6789":                     "***-** ****",
		"123 45-6789":                     "*** **-****",
		"DOE, JANE (123 45 6789), DUI":    "DOE, JANE (*** ** ****), DUI",
		"123-45-6789 and 987-65-4321":     "***-**-**** and ***-**-****",
		"123456789 DUI ssn#123456789":     "123456789 DUI ssn#*********",
		"SSN 123 45 6789":                 "SSN *** ** ****",
		"Soc. Sec. No. 123.45.6789, DUI":  "Soc. Sec. No. ***.**.****, DUI",
		"SOCIAL SECURITY: 123456789":      "SOCIAL SECURITY: *********",
		"SOCIAL SECURITY NUMBER 12345678": "SOCIAL SECURITY NUMBER 12345678",
		"123 45 6789 (SSN) BATTERY":       "*** ** **** (SSN) BATTERY",
		"123456789 SSN":                   "********* SSN",
		"SSN 123456789, 987654321":        "SSN *********, *********",
		"S.S.N. 1-2-3-4-5-6-7-8-9":        "S.S.N. *-*-*-*-*-*-*-*-*",
		"123\u00ad45\u00ad6789":           "***\u00ad**\u00ad****", // soft hyphens, and others that show nothing
		"123\u200b45\u20606789":           "***\u200b**\u2060****",
		"123\u180e45\u28006789":           "***\u180e**\u2800****",
		"123─45─6789":                     "***─**─****", // a drawn line
		"123ー45ー6789":                     "***ー**ー****",
		"123・45・6789":                     "***・**・****",
		"¹²³-⁴⁵-⁶⁷⁸⁹":                     "***-**-****",
		"Social-Security 123456789":       "Social-Security *********",
		"S-S-N 123456789":                 "S-S-N *********",
	} {
		require.Equal(t, want, ssn.Blot(said))
		require.Equal(t, want != said, ssn.Holds(said), said)
	}
}

func TestNumbersOfOtherKindsStay(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"BOOKING 123456789", "201700000001", "2017-00000001", "1700001", "MISSION 123456789", "2026-45-67890", "17-123-45", "B17-12345678",
		"404-555-1234", "(404) 555-1234", "404.555.1234", "404 555 1234", "+1 404 555 1234", "1-800-555-1234 x12",
		"2026-CR/000123 A", "26-CR-1", "SU-24-CR-0123", "24-1234", "CASE 2024SU000123", "2024-12-3456", "HOLD 26-01-1234", "25CR-12-34567",
		"16-13-30", "40-6-391(a)(1)", "16-11-37.1", "40-6-391 24-1234", "16-8-2, 16-13-30 25-1998", "O.C.G.A. 42.8.38", "18 USC 922", "16-5-21 / 16-5-23",
		"30301-1234", "ATLANTA GA 30301-1234", "P.O. BOX 123, 30301-1234",
		"$500.00", "$1,500.00 $250.00", "$500 12 2017", "$500 12/2017", "$ 500 12 2017", "1,500 12 2017", "$123.45 2017", "500 10/18/2017", "100 25 1000.00",
		"$500.00 $500 G.S BND*8/18 $500 BOND @ ARREST Bond last updated 8/18/2017 10:16:19 AM", "Cash: $ 500.00 Fees: $ 35.00",
		"2017-11-13 12:35:59 EST", "7/8/2026 12:00:00 AM", "01/02/1986", "2025-10-20-11.31.39.017346", "XX/XX/1972", "1900-01-01T00:00:00+00:00",
		"123-45-67890", "1123-45-6789", "12-345-6789", "123456-78-9", "123,45,6789", "123-45 / 6789", "10.123.45.6789", "123:45:6789", "123  |  45 | 6789",
		"10 YEARS, 0 MONTHS, 0 DAYS", "", "1", "id=-50001&bid=2017-00000001",
	} {
		require.Equal(t, said, ssn.Blot(said))
		require.False(t, ssn.Holds(said), said)
	}
}

func FuzzBlot(f *testing.F) {
	for _, text := range []string{
		"SSN 123-45-6789 noted", "1123-45-67890", "SS#00000000000", "SSN 123456789123456789", "123-45-6789.123.45.6789", "１２３ 45—6789", "123456789 SSN",
		"SSN123456789       987654321", "SSN123 -- 45-6789 987654321", "SSN45-123--45-6645K123-7 123-45-67 89noted",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		blotted := ssn.Blot(text)
		require.Equal(t, utf8.RuneCountInString(text), utf8.RuneCountInString(blotted))
		require.Equal(t, blotted, ssn.Blot(blotted))
		require.False(t, ssn.Holds(blotted))
		require.Equal(t, utf8.ValidString(text), utf8.ValidString(blotted))
	})
}

// A long text costs what its length costs: the words and numbers of a hostile one are looked at once.
func TestALongTextIsBlottedInOnePass(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("SSN 123456789 ", 20_000)
	require.Equal(t, strings.Repeat("SSN ********* ", 20_000), ssn.Blot(text))
}
