// Package likeness is the commands about the verifier of photographs: `rollcall faces`. They install its weights,
// compare two files, and measure on pairs of an operator's own how often it is right. They need no database and
// write nothing but the weights.
package likeness

import (
	"context"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"

	"rollcall/faces"
	"rollcall/internal/service"
)

// Command groups the commands.
type Command struct {
	Install installCmd `cmd:"" help:"Fetch the weights of the networks, check their digests and keep them in the data directory."`
	Compare compareCmd `cmd:"" help:"Say whether two photographs show one person."`
	Measure measureCmd `cmd:"" help:"Say how often the verifier is right on pairs of your own, by group."`
}

// Help returns the end of the help of `rollcall faces`. Kong calls it.
func (Command) Help() string {
	return fmt.Sprintf("The verifier compares two photographs that somebody else has paired. It keeps no descriptor, searches nothing, and is "+
		"never the sole ground for anything. A distance below %.2f is a match, from %.2f on different people, and between them nothing is said.",
		faces.MatchBelow, faces.DifferentFrom)
}

// place returns the directory of the weights.
func place(app *service.App) string { return filepath.Join(app.DataDir, "faces") }

// installCmd installs the weights.
type installCmd struct {
	From string `help:"Archive of the npm package that was fetched elsewhere; without it npm fetches it." placeholder:"FILE" type:"existingfile"`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run installs them and prints where they are.
func (c *installCmd) Run(ctx context.Context, app *service.App) error {
	dir, archive := place(app), c.From
	if archive == "" {
		fetched, err := os.MkdirTemp("", "rollcall-faces")
		if err != nil {
			return fmt.Errorf("make a directory for the archive: %w", err)
		}
		defer func() { _ = os.RemoveAll(fetched) }()
		if archive, err = faces.Fetch(ctx, fetched); err != nil {
			return err
		}
	}
	if err := faces.Install(archive, dir); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]string{"directory": dir, "model": faces.Model})
	}
	_, err := fmt.Fprintf(app.Stdout, "The weights are in %s, and their digests are right.\n", dir)
	return err
}

// compareCmd compares two files.
type compareCmd struct {
	First  string `arg:"" help:"A JPEG or PNG." type:"existingfile"`
	Second string `arg:"" help:"Another." type:"existingfile"`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// result is a comparison in JSON. Distance is null where a photograph had no face to compare.
type result struct {
	State    faces.State `json:"state"`
	Distance *float64    `json:"distance"`
	Reason   string      `json:"reason,omitempty"`
	Model    string      `json:"model"`
}

// Run compares them and prints what it found.
func (c *compareCmd) Run(ctx context.Context, app *service.App) error {
	v, err := faces.Load(place(app))
	if err != nil {
		return err
	}
	r, err := compareFiles(ctx, v, c.First, c.Second)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(result{r.State, known(r.Distance), r.Reason, faces.Model})
	}
	text := string(r.State)
	if d := known(r.Distance); d != nil {
		text += fmt.Sprintf(": distance %.3f", *d)
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	_, err = fmt.Fprintln(app.Stdout, text)
	return err
}

// known returns a distance, or nil where there is none.
func known(d float64) *float64 {
	if math.IsNaN(d) {
		return nil
	}
	return &d
}

// compareFiles reads two photographs and compares them.
func compareFiles(ctx context.Context, v *faces.Verifier, first, second string) (faces.Result, error) {
	a, err := readFile(first)
	if err != nil {
		return faces.Result{}, err
	}
	b, err := readFile(second)
	if err != nil {
		return faces.Result{}, err
	}
	return v.Compare(ctx, a, b)
}

// readFile reads one photograph.
func readFile(name string) (image.Image, error) {
	f, err := os.Open(name) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	photo, err := faces.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return photo, nil
}
