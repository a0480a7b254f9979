package bond_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/bond"
	"rollcall/models"
)

const (
	cash   = models.BondCash
	surety = models.BondSurety
	own    = models.BondOwnRecognizance
	none   = models.BondNone
	held   = models.BondHeld
)

// TestBondsAsJailsWriteThem has the forms of real files, with other names, days and amounts.
func TestBondsAsJailsWriteThem(t *testing.T) {
	t.Parallel()
	const updated = " Bond last updated 8/18/2017 10:16:19 AM"
	cases := []struct {
		text   string
		cents  int64
		kind   models.BondKind
		unread bool
	}{
		// One statement.
		{"", 0, "", false},
		{"$", 0, "", false},
		{"-", 0, "", false},
		{"|", 0, "", false},
		{" | ", 0, "", false},
		{"||", 0, "", false},
		{"[]", 0, "", false},
		{"$0.00", 0, none, false},
		{"0.00", 0, none, false},
		{"$1300", 130000, "", false},
		{"1300", 130000, "", false},
		{"$500.00CASH", 50000, cash, false},
		{"Cash, $50000.00", 5000000, cash, false},
		{"Cash/Surety, $50000.00", 5000000, "", false}, // either
		{"Cash, $0.00", 0, cash, false},
		{"CASH ONLY 2,500", 250000, cash, false},
		{"Bond set at 2500.00", 250000, "", false},
		{"PROPERTY BOND $20,000", 2000000, models.BondProperty, false},
		{"*** READY *** Cash: $ 500.00 Fees: $ 35.00", 50000, cash, false},
		{"*** READY *** Surety: $ 1000.00 Fees: $ 35.00", 100000, surety, false},
		{"$1500.00 ( Bonding company: NONE )", 150000, "", false},
		{"$1500.00 ( Bonding company:  )", 150000, "", false},
		{"$1500.00 ( Bonding company: QUILLFEATHER BONDING )", 150000, surety, false},
		{"$1500.00 ( Bonding company: RECOGNIZANCE )", 150000, own, false},
		{"$1500.00 ( Bonding company: POSTED BOND/BAIL )", 150000, "", false},
		{"( Bonding company:  )", 0, "", false},
		{"( Bonding company: RELEASED TO OTHER AGENCY )", 0, "", false},
		{"$500 OR BOND", 50000, own, false},
		{"TOTAL BOND: $1,000.00 OR", 100000, own, false},
		{"TOTAL BOND: $5,000.00 CASH/PROPERTY", 500000, "", false},
		{"CSH 500.00", 50000, cash, false},

		// No amount.
		{"NO BOND", 0, none, false},
		{"No Bond until seen by judge", 0, none, false},
		{"NO BOND @ ARREST - SEE JUDGE", 0, none, false},
		{"Denied 3/4/2026", 0, none, false},
		{"BOND DENIED", 0, none, false},
		{"None", 0, none, false},
		{"** NOT READY ** No Bond *** HOLDS ***", 0, none, false},
		{"** NOT READY ** No Amount Set *** HOLDS ***", 0, held, false},
		{"No Amount Set", 0, none, false},
		{"HOLD FOR COUNTY 12", 0, held, false},
		{"SENTENCED", 0, held, false},
		{"SENTENCED 12 MO", 0, held, false},
		{"SENTENCED 11/2/2026 10-12 MONTHS", 0, held, false},
		{"SENTENCED 12 MO 5000", 0, "", true},
		{"HELD W/O BOND", 0, none, false},
		{"None Set", 0, none, false},
		{"TIME SERVED", 0, "", false},
		{"ROR", 0, own, false},
		{"R.O.R.", 0, own, false},
		{"O/R", 0, own, false},
		{"OR", 0, own, false},
		{"Own Recognizance", 0, own, false},
		{"Surety Bond", 0, surety, false},
		{"Cash Bond", 0, cash, false},
		{"Cash or Surety", 0, "", false},
		{"SEE JUDGE", 0, "", false},
		{"TBD", 0, "", false},
		{"N/A", 0, "", false},

		// Two readings, or none.
		{"5000/10000 10%", 0, "", true},
		{"$5000/10000", 0, "", true},
		{"$500 - $2500", 0, "", true},
		{"$500 $500", 0, "", true},
		{"2 @ $500", 0, "", true},
		{"10% OF $5000", 0, "", true},
		{"CASH BOND 10% OF $5000", 0, cash, true},
		{"$500 CASH OR $1000 PROPERTY", 0, "", true},
		{"CASH 7500", 0, cash, true}, // the number may be a receipt
		{"CASH 2,500 CASE 1,204", 0, cash, true},
		{"HOLD $500 / $700", 0, "", true},
		{"No Bond $500", 0, "", true},
		{"$500 BOND DENIED", 0, "", true},
		{"$5OO.OO", 0, "", true},
		{"1500 USD", 0, "", true},
		{"########", 0, "", true},
		{"forty dollars", 0, "", true},
		{"1.5", 0, "", true}, // thousands?
		{"$2.5", 0, "", true},
		{"1500.0", 150000, "", false},

		// Numbers of days, cases, counts and hours are no amounts.
		{"8/18/2017 BOND PER B/H", 0, "", false},
		{"8/18/2017 BOND*8/18 NO BOND @ ARREST", 0, "", true},
		{"COURT DATE 9/12/2017 BOND @ ARREST", 0, "", false},
		{"2017 BOND*8/18", 0, "", true},
		{"2,500 BOND*8/18", 250000, "", false},
		{"CASE 1,204 BOND*8/18", 0, "", true},
		{"BOND CASE 1,204", 0, "", true},
		{"TICKET 12345 CASH BOND @ ARREST", 0, "", true},
		{"CT 200 BOND*8/18", 0, "", true},
		{"BOND HEARING 10.30", 0, "", true},
		{"BOND HEARING 1,204", 0, "", true},
		{"BOND HEARING $1,204", 120400, "", false},
		{"BOND HEARING 12.05", 0, "", true},

		// An amount of something else, of a bond that is over, or one that is only reckoned from.
		{"SENTENCED 12 MO $1000.00 FINE", 0, "", true},
		{"SENTENCED 10 DAYS OR $500 FINE", 0, "", true},
		{"FINE $500.00", 0, "", true},
		{"$500.00 FINE*8/18", 0, "", true},
		{"RESTITUTION $2,300.00", 0, "", true},
		{"BOND FEE 20.00", 0, "", true},
		{"Fees: $35.00", 0, "", true},
		{"$20.00 FEE", 0, "", true},
		{"$500.00 + $35.00 fees", 50000, "", false},
		{"$500 CASH PLUS FEES", 50000, cash, false},
		{"$5,000.00 REVOKED", 0, "", true},
		{"CASH 5,000.00 REVOKED", 0, "", true},
		{"$3000.00 G/S BND REVOKED*8/16", 0, "", true},
		{"BOND OF $5,000 REVOKED", 0, "", true},
		{"$5,000.00 DENIED", 0, "", true},
		{"$500 BOND REDUCTION DENIED", 50000, "", false},
		{"BOND FORFEITED $1,500.00", 0, "", true},
		{"INMATE OWES $45.00", 0, "", true},
		{"OWED $45.00 CASH", 0, "", true},
		{"PAY $350 OR 10 DAYS", 0, "", true},
		{"BOND SURRENDERED $2,500", 0, "", true},
		{"PURGE $1500.00", 0, "", true},
		{"$2,500 CHILD SUPPORT", 0, "", true},
		{"BALANCE DUE $120.00", 0, "", true},
		{"BOND VACATED $2,500", 0, "", true},
		{"COMMISSARY $20.00", 0, "", true},
		{"$75.00 DAMAGED PHONE @ ARREST", 0, "", true},
		{"-$500.00", 0, "", true},
		{"BOND - $500.00", 50000, "", false},
		{"3 COUNTS $500", 0, "", true},
		{"$500.00 10%", 0, "", true},

		// A kind that is ruled out.
		{"NO CASH BOND", 0, "", false},
		{"NO SURETY", 0, "", false},
		{"NO OR BOND", 0, "", false},
		{"NO ROR", 0, "", false},
		{"NO PROPERTY BONDS", 0, "", false},
		{"$5,000.00 NO SURETY", 500000, "", false},
		{"NOT ELIGIBLE FOR OR BOND", 0, "", false},
		{"INELIGIBLE FOR OR BOND", 0, "", false},
		{"INELIGIBLE", 0, none, false},
		{"OR BOND DENIED", 0, "", false},
		{"NO ICE HOLD", 0, "", false},
		{"HOLD LIFTED", 0, "", false},
		{"NO BOND HOLD LIFTED*8/3", 0, "", false},
		{"CT 1 OR", 0, "", true},
		{"SEE JUDGE*8/3 $500 BOND @ ARREST", 0, "", true},

		// A history: the amount of a column, and what clerks wrote, the newest first.
		{"Bond last updated 1/1/1900", 0, "", false},
		{"$500.00 $500 G.S BND*8/18 $500 BOND @ ARREST" + updated, 50000, "", false},
		{"$500.00 $500 G.S BND*8/18 $500 BOND @ ARREST", 50000, "", false},
		{"$2500.00 $2500 G.S BND*8/4 $1500.00 GS BOND AT ARREST" + updated, 250000, "", false},
		{"$500.00 $500 G.S BND*8/18 NO BOND @ ARREST" + updated, 50000, "", false},
		{"$500.00 $500 G.S BND*10/5 NO BND*10/3 NO BND *10/2 $250 BOND @ ARREST" + updated, 50000, "", false},
		{"$3000.00 $3000 G.S BND*10/12 NO BOND@ARREST BONDSMAN CAME OFF BOND" + updated, 300000, "", false},
		{"$12000.00 $12,000.00 G/S BOND PER B/H 9/10/17 $5000 G/S AT ARREST" + updated, 1200000, "", false},
		{"$4000.00 4000 GS BOND PER B/H 5/14 $1,500 BOND @ ARREST" + updated, 400000, "", false},
		{"$1000.00 $1000 O.R BND*11/1 $500 G.S. BOND @ ARREST" + updated, 100000, own, false},
		{"$1,000 O/R BOND *11/9 NO BOND@ARREST ORI: FOLLOWING TOO CLOSELY" + updated, 100000, own, false},
		{"$649.00 $649 CASH BOND  ORI: NO PROOF OF INSURANCE" + updated, 64900, cash, false},
		{"$3000.00 BND REDUCTION DENIED STILL $3,000 G/S BND*8/16" + updated, 300000, "", false},
		{"$500 BOND @ ARREST", 50000, "", false},
		{"NO BND*9/26 NO BOND PER B/H $500 BOND @ ARREST" + updated, 0, none, false},
		{"NO BND*9/26 $500 BOND @ ARREST", 0, none, false},
		{"No bond per b/h No bond at time of arrest" + updated, 0, none, false},
		{"BOND DENIED*8/2 NO BND PER B/H*7/13" + updated, 0, none, false},
		{"Sentenced 10-12 months" + updated, 0, held, false},
		{"SENT TO PROBATION NO BND*7/12" + updated, 0, "", false},
		{"HOLD FOR ANOTHER COUNTY ORI: PROB VIOLATION" + updated, 0, held, false},
		{"DISMISSED*8/23 BOND DENIED*8/2" + updated, 0, "", false},
		// The bond of another charge covers this one: counting it again would double it.
		{"$7500.00 BOND INCLUDED IN CHARGE #1 *8/3 NO BND*6/6 NO BOND @ ARREST" + updated, 0, "", false},
		{"BOND INCLUDED IN CT 2 $5000.00 BOND" + updated, 0, "", false},
		// The column and the newest entry contradict each other.
		{"$500.00 NO BND*10/3 $500 BOND @ ARREST" + updated, 0, "", true},
		{"$13000.00 $2000 G.S.BOND PER B/H $15,000 BOND@ARREST" + updated, 0, "", true},
		{"$5000.00 SENT 12 MONTHS*10/25" + updated, 0, "", true},
		{"$1000.00 $500 BOND EACH COUNT*8/18" + updated, 0, "", true},
		{"2 @ $500 BOND @ ARREST", 0, "", true},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, bond.Bond{Cents: c.cents, Kind: c.kind, Unread: c.unread}, bond.Read(c.text))
		})
	}
}

func TestAPublishedTextHasOnlyTheWordsOfBonds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"** NOT READY ** No Bond *** HOLDS ***":               "** NOT READY ** No Bond *** HOLDS ***",
		"Bond last updated 1/1/1900":                          "Bond last updated 1/1/1900",
		"NO BND*9/26 NO BOND @ ARREST - SEE JUDGE":            "NO BND*9/26 NO BOND @ ARREST - SEE JUDGE",
		"NO BOND *REL 2 CUST MARLOWE QUILLFEATHER*8/1 NO BND": "NO BOND *REL 2 CUST … NO BND",
		"HOLD FOR MOONSAIL COUNTY SO":                         "HOLD FOR … COUNTY SO",
		"NO BOND, CALL 706-555-0100 OR 7065550100":            "NO BOND, CALL … OR …",
		"5000/10000 10%":                                      "5000/10000 10%",
		"PURGE 12-34567 $1500000":                             "PURGE 12-34567 $1500000",
		"NO BOND SHALL LIVE AT 12 NOWHERE LN":                 "NO BOND … AT 12 …",
		"HOLD SSN 123-45-6789":                                "HOLD … ***-**-****",
		"( Bonding company: THISTLEDOWN BONDING )":            "( Bonding company: … BONDING )",
		"ÉTIENNE": "…",
		"$5OO.OO": "…",
		"":        "",
	} {
		require.Equal(t, want, bond.Text(text), text)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"$500.00 $500 G.S BND*8/18 $500 BOND @ ARREST Bond last updated 8/18/2017 10:16:19 AM", "NO BND*9/26 $500 BOND @ ARREST", "CASH ONLY 2,500",
		"5000/10000 10%", "$1500.00 ( Bonding company: A )", "Bond last updated 1/1/1900", "$7500.00 BOND INCLUDED IN CHARGE #1 *8/3", "$5000.00 SENT 12 MONTHS*10/25",
		"( Bonding company:", "$$$ @ ARREST", "999 CASH @ ARREST", "1,2,3 BOND*1/1",
		"8/18/2017 BOND PER B/H", "$500.00 FINE*8/18", "$500 FEE: $35", "-$500.00", "NO OR BOND", "NO BOND HOLD LIFTED*8/3", "CT 1 OR",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := bond.Read(text)
		require.GreaterOrEqual(t, b.Cents, int64(0), "a bond is never negative")
		require.False(t, b.Unread && b.Cents != 0, "what is not read is no amount")
		if b.Kind == none || b.Kind == held {
			require.Zero(t, b.Cents, "where there is no bond there is no amount")
		}
		if b.Cents != 0 {
			require.Contains(t, strings.ReplaceAll(text, ",", ""), dollars(b.Cents), "an amount is never invented")
		}
		shown := bond.Text(text)
		require.Equal(t, shown, bond.Text(shown))
		require.True(t, !utf8.ValidString(text) || utf8.ValidString(shown))
	})
}

// dollars is the whole part of an amount as a text has it; an amount below a dollar has none.
func dollars(cents int64) string {
	if cents < 100 {
		return ""
	}
	return strconv.FormatInt(cents/100, 10)
}
