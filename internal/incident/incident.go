// Package incident is the commands that say on the public status page what is wrong: `rollcall incident`.
package incident

import (
	"context"
	"fmt"
	"text/tabwriter"

	"rollcall/internal/cell"
	"rollcall/internal/service"
)

// Command groups the commands.
type Command struct {
	Open   openCmd   `cmd:"" help:"Report an incident."`
	Update updateCmd `cmd:"" help:"Say more of an incident, or that it has ended."`
	List   listCmd   `cmd:"" help:"List incidents that go on, and those of the last 90 days."`
}

// openCmd reports an incident.
type openCmd struct {
	Title string `arg:"" help:"What is wrong, in a few words. Anybody reads it: name no person."`
	Text  string `required:"" help:"What happens, and what readers should do." placeholder:"TEXT"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run reports it and prints its id.
func (c *openCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	i, err := st.OpenIncident(ctx, c.Title, c.Text)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(i)
	}
	_, err = fmt.Fprintf(app.Stdout, "Incident %s is on the status page.\n", i.ID)
	return err
}

// updateCmd says more of an incident.
type updateCmd struct {
	ID    string `arg:"" help:"Id of the incident."`
	Text  string `required:"" help:"What is new." placeholder:"TEXT"`
	Ended bool   `help:"The incident has ended."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run adds the text.
func (c *updateCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if _, err := st.UpdateIncident(ctx, c.ID, c.Text, c.Ended); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"id": c.ID, "ended": c.Ended})
	}
	_, err = fmt.Fprintf(app.Stdout, "The status page has it.\n")
	return err
}

// listCmd lists incidents.
type listCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the incidents, those that go on first.
func (c *listCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	all, err := st.Incidents(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(all)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tBEGAN\tENDED\tTITLE"); err != nil {
		return err
	}
	for _, i := range all {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", i.ID, cell.Time(&i.BeganAt), cell.Time(i.EndedAt), i.Title); err != nil {
			return err
		}
	}
	return w.Flush()
}
