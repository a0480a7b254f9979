// Package removal is the commands about photographs: `rollcall photographs`. They say what was brought and what was refused, and
// keep the requests of people who want their photograph removed.
package removal

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/photograph"
)

// actor is who decided, in the tables: the commands know no names.
const actor = "command line"

// Command groups the commands.
type Command struct {
	Status   statusCmd   `cmd:"" help:"Count photographs by source, state and reason."`
	Request  requestCmd  `cmd:"" help:"Note that somebody asks for the removal of a photograph; it is shown to nobody from then on."`
	Requests requestsCmd `cmd:"" help:"List requests, those that are due first."`
	Decide   decideCmd   `cmd:"" help:"End a request: the photograph stays removed, or the request is declined."`
}

// Help returns the end of the help of `rollcall photographs`. Kong calls it.
func (Command) Help() string {
	return fmt.Sprintf("Photographs are taken of sources whose documents say why they may be (privacy.photographs). A request to remove one must be "+
		"decided within %d days, and costs nobody anything. docs/compliance.md has the statutes.", photograph.RemovalDays)
}

// statusCmd counts photographs.
type statusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints a line for each source, state and reason.
func (c *statusCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	counts, err := st.PhotographCounts(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(counts)
	}
	if len(counts) == 0 {
		_, err = fmt.Fprintln(app.Stdout, "No photograph was named by a source that allows any.")
		return err
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "SOURCE\tSTATE\tREASON\tCOUNT") // Flush returns what went wrong
	for _, n := range counts {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", n.SourceID, n.State, n.Reason, n.N)
	}
	return w.Flush()
}

// requestCmd notes a request.
type requestCmd struct {
	ID    string `arg:"" help:"Id of the booking or corrections record."`
	Asked string `help:"The day on which the request came; without it today." placeholder:"YYYY-MM-DD"`
	Note  string `help:"On what grounds, without a name." placeholder:"TEXT"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run notes it and takes the photograph away.
func (c *requestCmd) Run(ctx context.Context, app *service.App) error {
	asked := time.Now()
	if c.Asked != "" {
		day, err := models.ParseDate(c.Asked)
		if err != nil {
			return models.Invalid("asked", "--asked is a day like 2026-03-08")
		}
		asked = day.In(models.Georgia)
	}
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := st.AskRemoval(ctx, c.ID, asked, actor, c.Note)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(r)
	}
	_, err = fmt.Fprintf(app.Stdout, "Request %d is noted. The photograph of %s is shown to nobody. Decide by %s: rollcall photographs decide %d\n",
		r.ID, r.PublicID, r.DueAt.In(models.Georgia).Format(time.DateOnly), r.ID)
	return err
}

// requestsCmd lists requests.
type requestsCmd struct {
	All  bool `help:"Those that were decided too."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints them.
func (c *requestsCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, err := st.Removals(ctx, !c.All)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(list)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "REQUEST\tRECORD\tASKED\tDUE\tSTATE\tNOTE") // Flush returns what went wrong
	for _, r := range list {
		state := r.State
		if r.DecidedAt == nil && st.Now().After(r.DueAt) {
			state = "OVERDUE"
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.PublicID, cell.Time(&r.AskedAt), cell.Time(&r.DueAt), state, r.Note)
	}
	return w.Flush()
}

// decideCmd ends a request.
type decideCmd struct {
	Request int64 `arg:"" help:"Number of the request."`
	Decline bool  `help:"The request has no ground: the photograph may be taken again."`
	JSON    bool  `name:"json" help:"Print JSON."`
}

// Run ends it.
func (c *decideCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := st.DecideRemoval(ctx, c.Request, !c.Decline, actor); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"id": c.Request, "declined": c.Decline})
	}
	says := "The photograph stays removed."
	if c.Decline {
		says = "The photograph may be taken again."
	}
	_, err = fmt.Fprintln(app.Stdout, says)
	return err
}
