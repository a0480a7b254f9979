package demo

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rollcall/ingest/takeover"
	"rollcall/internal/simulator"
	"rollcall/models"
)

// past is how far back the demo's jails have a history. So the figures of a county begin before the first
// start.
const past = 100 * 24 * time.Hour

// importPast imports the stays before the demo, as an operator imports the records of an earlier system. It
// uses the same importer and file formats, in a temporary directory.
func (d *Demo) importPast(ctx context.Context, w *World) (err error) {
	dir, err := os.MkdirTemp(d.Dir, "past-")
	if err != nil {
		return fmt.Errorf("make a directory for the demo's past: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := writePast(w.sim, dir); err != nil {
		return fmt.Errorf("write the demo's past: %w", err)
	}
	// The prefix keeps the importer's source among those of the demo.
	im := &takeover.Importer{Store: d.Store, Seal: d.Runner.Seal, Log: d.Log, Now: time.Now, Prefix: prefix}
	report, err := im.Import(ctx, dir)
	if err == nil && !report.OK() {
		err = errors.New("a row of the demo's past was refused")
	}
	return err
}

// writePast writes the past as a roster in CSV. Ids are counted by county and year, as the importer expects.
func writePast(sim *simulator.Simulator, dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "roster"), 0o700); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "roster", "past.csv")) //nolint:gosec // the name is ours
	if err != nil {
		return err
	}
	out := csv.NewWriter(file)
	_ = out.Write([]string{"id", "name", "dob", "county", "booking_date", "release_date", "charges", "bond_amount", "status"}) // out.Error, below, has it
	given := map[string]int{}
	for b := range sim.Past(past) {
		place := b.County + "-" + strconv.Itoa(b.Booked.Year())
		given[place]++
		charges := make([]string, 0, len(b.Charges))
		for _, c := range b.Charges {
			charges = append(charges, c.Description)
		}
		// An empty bond means that none was set. A bond of 0 would be an amount.
		bond := ""
		if cents, any := b.Bond(); any {
			bond = models.Cents(cents).Decimal()
		}
		_ = out.Write([]string{
			fmt.Sprintf("%s-%06d", place, given[place]), b.Name.LastFirst(), b.Birth.Format(time.DateOnly), simulator.CountyName(b.County),
			b.Booked.Format(time.RFC3339), b.Released.Format(time.RFC3339), strings.Join(charges, ";"), bond, "released",
		})
	}
	out.Flush()
	return errors.Join(out.Error(), file.Close())
}
