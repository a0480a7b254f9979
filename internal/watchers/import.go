package watchers

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/internal/enroll"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/internal/watchlist"
	"rollcall/models"
)

// Command groups the commands.
type Command struct {
	Import importCmd `cmd:"" help:"Watch the names of a CSV file for an account."`
	Export exportCmd `cmd:"" help:"Print the alerts or hits of an account as CSV."`
}

// countWithin bounds how long a dry run compares a list with the bookings of a year.
const countWithin = 10 * time.Minute

// importCmd creates the alerts of a file, all or none.
type importCmd struct {
	File       string `arg:"" help:"CSV file, - for standard input. Its first line names the columns: name, or last, first, middle and suffix; and of county, dob, birth_year, age, age_on, level, events, label, note and paused what there is. Titles such as Last Name and Date of Birth are known too; other columns are not read, and named."`
	Account    string `required:"" help:"Id of the account." placeholder:"ID"`
	DryRun     bool   `help:"Create nothing: show what each line would have hit in the last 12 months, as far as bookings are known."`
	SkipErrors bool   `help:"Leave lines out that cannot be taken. Without it they keep the whole file from being imported."`
	Encoding   string `enum:"utf-8,windows-1252" default:"utf-8" help:"How the file writes its letters, where no byte order mark says it: utf-8 or windows-1252." placeholder:"NAME"`
	JSON       bool   `name:"json" help:"Print JSON."`
}

// Run imports the file, or shows what would be imported.
func (c *importCmd) Run(ctx context.Context, app *service.App) error {
	from, err := open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // it is only read
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	account, err := st.Account(ctx, c.Account)
	if err != nil {
		return err
	}
	if refusal := account.Suspended(); refusal != nil {
		return refusal
	}
	if !account.Entitled() {
		return &models.Error{Code: models.CodeForbidden, Message: "alerts belong to the Enterprise plan, which the account does not have; change it with: rollcall account"}
	}
	plan, err := enroll.Read(ctx, st, c.Account, from, watchlist.Encoding(c.Encoding))
	if err != nil {
		return err
	}
	created := 0
	var refused error
	if c.DryRun {
		err = plan.Count(ctx, st, countWithin)
	} else if created, refused = plan.Create(ctx, st, c.SkipErrors); created > 0 {
		err = st.RecordEvent(ctx, models.AccountEvent{AccountID: c.Account, Actor: service.Operator(), Action: "alerts imported", Subject: plural.Of(created, "alert")})
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = app.PrintJSON(jsonOf(plan, created))
	} else {
		err = c.print(app.Stdout, plan, created)
	}
	if refused == nil {
		refused = none(plan)
	}
	if refused != nil {
		return refused
	}
	return err
}

// none is the error of a list of which no line can be taken, in a dry run too: a script must not go on as if there were one.
func none(p *enroll.Plan) error {
	if p.Refused == 0 || p.New+p.Folded > 0 {
		return nil
	}
	return &models.Error{Code: models.CodeInvalidRequest, Field: "csv", Message: "no line of the file can be imported; correct the mistakes that are listed"}
}

// open opens a file, or standard input.
func open(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(file) //nolint:gosec // the caller's own file
}

// print shows the lines that need a look, all of them in a dry run, and the sum.
func (c *importCmd) print(to io.Writer, p *enroll.Plan, created int) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if c.DryRun || p.Folded+p.Refused > 0 {
		_, _ = fmt.Fprintln(w, "LINE\tRESULT\tBY NAME\tBY VARIANT\tNAME\tABOUT") // Flush has the error
	}
	for _, r := range p.Rows {
		same, varied := "-", "-"
		if r.Outcome == enroll.Create {
			if !c.DryRun {
				continue
			}
			same, varied = strconv.Itoa(r.ByName), strconv.Itoa(r.ByVariant)
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.60q\t%s\n", r.Line, r.Outcome, same, varied, r.Name, r.About())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	said := plural.Of(created, "alert") + " created"
	if c.DryRun {
		said = plural.Of(p.New, "alert") + " would be created"
		if p.Refused > 0 && !c.SkipErrors {
			said += " with --skip-errors, none without"
		}
	}
	said += fmt.Sprintf("; %s watched already or repeated, %d refused.\n", plural.Of(p.Folded, "line"), p.Refused)
	if p.Differing > 0 {
		said += fmt.Sprintf("%s of these %s something else than what is watched, which is not taken over.\n", plural.Of(p.Differing, "line"), plural.Word(p.Differing, "states", "state"))
	}
	if c.DryRun && p.Alike > 0 {
		said += fmt.Sprintf("%s %s like another in another order, and may ask for the same person.\n", plural.Of(p.Alike, "new line"), plural.Word(p.Alike, "looks", "look"))
	}
	if p.Ignored != nil {
		said += p.IgnoredSays() + "\n"
	}
	if c.DryRun && p.New > 0 {
		said += rests(&p.Basis)
	}
	_, err := io.WriteString(to, said)
	return err
}

// rests says what the counts rest on.
func rests(b *enroll.Basis) string {
	says := b.Says()
	if !b.Whole {
		says = append([]string{fmt.Sprintf("Hits are counted since %s only: the list is long.", b.Since.Format(time.DateOnly))}, says...)
	}
	var out strings.Builder
	for _, sentence := range says {
		out.WriteString(sentence + "\n")
	}
	return out.String()
}

// importJSON is what --json prints of an import.
type importJSON struct {
	Created int        `json:"created"`
	New     int        `json:"new"`
	Folded  int        `json:"folded"`
	Refused int        `json:"refused"`
	Since   *time.Time `json:"since"`
	// Days, CountiesLater and CountiesCovered are null unless something was counted.
	Days            *int `json:"days"`
	CountiesLater   *int `json:"counties_later"`
	CountiesCovered *int `json:"counties_covered"`
	// IgnoredColumns are the titles of columns that are not known and were not read.
	IgnoredColumns []string  `json:"ignored_columns"`
	Rows           []rowJSON `json:"rows"`
}

type rowJSON struct {
	Line     int      `json:"line"`
	Result   string   `json:"result"`
	Name     *string  `json:"name"`
	Field    *string  `json:"field"`
	Message  *string  `json:"message"`
	SameLine *int     `json:"same_line"`
	AlertID  *string  `json:"alert_id"`
	Differs  []string `json:"differs"`
	// Alike says which alert or line has the same words in another order; null unless the line is new and there is one.
	Alike     *string `json:"alike"`
	Hits      *int    `json:"hits"`
	ByName    *int    `json:"by_name"`
	ByVariant *int    `json:"by_variant"`
}

func jsonOf(p *enroll.Plan, created int) importJSON {
	out := importJSON{Created: created, New: p.New, Folded: p.Folded, Refused: p.Refused, IgnoredColumns: append([]string{}, p.Ignored...), Rows: []rowJSON{}}
	if !p.Since.IsZero() {
		since := p.Since.UTC()
		out.Since = &since
		if p.New > 0 {
			out.Days, out.CountiesLater, out.CountiesCovered = &p.Days, &p.Later, &p.Jails
		}
	}
	for _, r := range p.Rows {
		j := rowJSON{
			Line: r.Line, Result: string(r.Outcome), Name: models.NilIfEmpty(r.Name), Field: models.NilIfEmpty(r.Field),
			Message: models.NilIfEmpty(r.Message), AlertID: models.NilIfEmpty(r.AlertID), Differs: append([]string{}, r.Differs...), Alike: models.NilIfEmpty(r.Alike),
		}
		if r.SameLine != 0 {
			j.SameLine = &r.SameLine
		}
		if r.Outcome == enroll.Create && out.Since != nil {
			j.Hits, j.ByName, j.ByVariant = new(r.Hits()), &r.ByName, &r.ByVariant
		}
		out.Rows = append(out.Rows, j)
	}
	return out
}
