package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/badlist"
	"rollcall/internal/cmdtest"
)

func TestAListOfNamesIsImportedAndExported(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	document, sample := pinewood(t)
	x.OK("ingest", "--source", x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample))

	list := x.put("names.csv", "Label;Name;County;Level\ndesk;Pip Thistledown;ware;wide\n-desk;Ida Stormcrow;Ware County;\ncourts;IDA STORMCROW;ware;\n;Zeb Nobody;fulten;\n;\"Z\";;\n")
	dry := x.OK("watchers", "import", list, "--account", account, "--dry-run")
	require.Contains(t, dry, "2 alerts would be created with --skip-errors, none without; 1 line watched already or repeated, 2 refused.")
	require.Regexp(t, `4 +repeated +- +- +"IDA STORMCROW" +the same as line 3; not taken over: label courts \(it has -desk\)`, dry)
	require.Contains(t, dry, "1 line of these states something else")
	require.Contains(t, dry, "Our records are complete only for the last ")
	require.Contains(t, dry, "0 of 159 counties are covered.")
	require.Regexp(t, `5 +error .*county "fulten" is not a county slug of Georgia; did you mean "fulton"\?`, dry)
	code, out := x.Run("watchers", "import", list, "--account", account)
	require.Equal(t, 1, code)
	require.Contains(t, out, "0 alerts created")
	require.Contains(t, x.Stderr, "2 lines cannot be imported, so nothing was created; correct them, or choose to leave them out")
	require.Equal(t, 1, strings.Count(x.OK("watchers", "export", "--account", account), "\n"), "the titles alone")

	require.Contains(t, x.OK("watchers", "import", list, "--account", account, "--skip-errors"), "2 alerts created; 1 line watched already or repeated, 2 refused.")
	again := x.Fields("watchers", "import", list, "--account", account, "--skip-errors", "--json")
	require.Equal(t, []any{0.0, 0.0, 3.0, 2.0}, []any{again["created"], again["new"], again["folded"], again["refused"]})
	require.Equal(t, []any{nil, nil}, []any{again["since"], again["days"]})

	exported := x.OK("watchers", "export", "--account", account)
	require.Contains(t, exported, "Ida Stormcrow,ware,,,,,normal,booking release bond_change,'-desk,,\n")
	labelled := x.OK("watchers", "export", "--account", account, "--label=-desk")
	require.Equal(t, 2, strings.Count(labelled, "\n"))
	require.Equal(t, "alert_id", x.OK("watchers", "export", "--account", account, "--hits")[:8])
	same := x.Fields("watchers", "import", x.put("same.csv", exported), "--account", account, "--json")
	require.Equal(t, []any{0.0, 2.0}, []any{same["created"], same["folded"]})
	second, isText := x.Fields("account", "create", "--name", "Other Desk", "--email", "second@example.org", "--plan", "enterprise", "--json")["id"].(string)
	require.True(t, isText)
	x.OK("watchers", "import", x.put("same.csv", exported), "--account", second)
	require.Equal(t, exported, x.OK("watchers", "export", "--account", second), "an export that is imported is the same list")

	for says, command := range map[string][]string{
		"list them with: rollcall account list": {"import", list, "--account", "acc_none"},
		"alerts belong to the Enterprise plan":  {"import", list, "--account", x.account("pro")},
		"no such file":                          {"import", "/nowhere.csv", "--account", account},
		"names no column name or last":          {"import", x.put("bad.csv", "alias,nick\nA,B\n"), "--account", account},
	} {
		code, _ := x.Run(append([]string{"watchers"}, command...)...)
		require.Equal(t, 1, code, command)
		require.Contains(t, x.Stderr, says)
	}
}

func TestAnExportOfAnOfficeIsImportedByItsOwnTitles(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	list := x.put("clients.csv", "Case No,Last Name,First Name,Suffix,DOB,SSN\n7,Moonsail,Wren,Jr,3/8/1990,123-45-6789\n")
	const says = `The columns "Case No", "SSN" are not known and were not read.`
	dry := x.OK("watchers", "import", list, "--account", account, "--dry-run")
	require.Contains(t, dry, "1 alert would be created")
	require.Contains(t, dry, says)
	require.Equal(t, []any{"Case No", "SSN"}, x.Fields("watchers", "import", list, "--account", account, "--dry-run", "--json")["ignored_columns"])
	done := x.OK("watchers", "import", list, "--account", account)
	require.Contains(t, done, "1 alert created")
	require.Contains(t, done, says)
	require.Contains(t, x.OK("watchers", "export", "--account", account), "\"Moonsail, Wren Jr\",,1990-03-08,")
}

func TestATrialSaysWhichNamesLookLikeAnotherInAnotherOrder(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	x.OK("watchers", "import", x.put("first.csv", "name\nJames Thomas\n"), "--account", account)
	list := x.put("names.csv", "name,birth_year\nTom Bolton,\nBOLTON TOM,\n\"Bolton, Tom\",\nBolton Tom,1990\nThomas James,\n")
	dry := x.OK("watchers", "import", list, "--account", account, "--dry-run")
	require.Regexp(t, `(?m)^2 +new .*"Tom Bolton" *$`, dry)
	require.Regexp(t, `(?m)^3 +new .*"BOLTON TOM" +looks like line 2 in another order$`, dry)
	require.Regexp(t, `(?m)^4 +repeated .*the same as line 2$`, dry)
	require.Regexp(t, `(?m)^5 +new .*"Bolton Tom" *$`, dry, "another person by the birth")
	require.Regexp(t, `(?m)^6 +new .*"Thomas James" +looks like what alrt_\w+ watches, in another order$`, dry)
	require.Contains(t, dry, "2 new lines look like another in another order, and may ask for the same person.")
	rows, isList := x.Fields("watchers", "import", list, "--account", account, "--dry-run", "--json")["rows"].([]any)
	require.True(t, isList)
	row, isObject := rows[1].(map[string]any)
	require.True(t, isObject)
	require.Equal(t, "looks like line 2 in another order", row["alike"])
	require.Contains(t, x.OK("watchers", "import", list, "--account", account), "4 alerts created; 1 line watched already or repeated")
}

func TestTheCommandSaysWhyAFileIsNoList(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	for _, f := range badlist.Files() {
		file := x.put("bad.csv", f.CSV)
		for _, args := range [][]string{{}, {"--dry-run"}, {"--skip-errors"}} {
			code, out := x.Run(append([]string{"watchers", "import", file, "--account", account}, args...)...)
			if f.Name == "mixed encodings" && len(args) > 0 {
				require.Zero(t, code, "the other line can be taken")
				require.Contains(t, out, f.Says)
				continue
			}
			require.Equal(t, 1, code, "%s %v", f.Name, args)
			require.Contains(t, out+x.Stderr, f.Says, f.Name)
			if f.Lines && len(args) > 0 {
				require.Contains(t, x.Stderr, "no line of the file can be imported", f.Name)
			}
		}
	}
}

func TestAListNamesWhomItsNamesCannotFind(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	list := x.put("names.csv", "name,level,county,dob,birth_year\nSmith A,,,,\nJ Smith,normal,ware,,\nJ Smith,strict,,,1980\nИван Петров,,ware,,\nBrown,wide,,,\n")
	code, out := x.Run("watchers", "import", list, "--account", account)
	require.Equal(t, 1, code)
	for _, says := range []string{
		`(?m)^2 .*not enough at level normal.*or add the year of birth, or add the birth date, or choose level wide$`,
		`(?m)^3 .*not enough at level normal.*choose level wide$`, `(?m)^4 .*at level strict.*in full, or add the birth date`,
		`(?m)^5 .*write it in Latin letters`, `(?m)^6 .*matches everyone who has it`, `0 alerts created; 0 lines watched already or repeated, 5 refused`,
	} {
		require.Regexp(t, says, out)
	}
	var lines strings.Builder
	lines.WriteString("name,level,county,dob,birth_year\n")
	for _, level := range []string{"strict", "normal", "wide"} {
		fmt.Fprintf(&lines, "Smith,%[1]s,ware,,\nJones,%[1]s,,1990-02-03,\nBrown,%[1]s,,,1980\n", level)
	}
	out = x.OK("watchers", "import", x.put("narrowed.csv", lines.String()), "--account", account)
	require.Contains(t, out, "3 alerts created; 6 lines watched already or repeated, 0 refused", "one person is watched once, whatever the level")
}

func TestADryRunCountsTheHitsOfEachLine(t *testing.T) {
	t.Parallel()
	x := &terminal{cmdtest.New(t, func(ctx context.Context, args []string, stdout, stderr io.Writer, env cmdtest.Variables) int {
		return runAt(ctx, func() time.Time { return time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) }, args, stdout, stderr, env.Get)
	})}
	account := x.account("enterprise")
	document, sample := pinewood(t)
	x.OK("ingest", "--source", x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample))
	dry := x.Fields("watchers", "import", x.put("n.csv", "name\nOrla Moonsail\nOrlah Moonsail\nZeb Nobody\n"), "--account", account, "--dry-run", "--json")
	require.Equal(t, []any{0.0, 0.0, 0.0}, []any{dry["days"], dry["counties_later"], dry["counties_covered"]}, "its file of this morning is all that is known, and no source runs")
	rows, isList := dry["rows"].([]any)
	require.True(t, isList)
	var hits []any
	for _, r := range rows {
		row, isObject := r.(map[string]any)
		require.True(t, isObject)
		hits = append(hits, []any{row["hits"], row["by_name"], row["by_variant"]})
	}
	require.Equal(t, []any{[]any{1.0, 1.0, 0.0}, []any{1.0, 0.0, 1.0}, []any{0.0, 0.0, 0.0}}, hits)
}
