package main

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

	"rollcall/ingest"
	"rollcall/ingest/takeover"
	"rollcall/internal/simulator"
)

// demoPast is how far back the demo's jails have a history, so that the figures of a county begin before it.
const demoPast = 100 * 24 * time.Hour

// takePast takes over what the demo's jails were before it, the way that an operator takes an earlier system over.
func takePast(ctx context.Context, a *App, s *service, w *world) (err error) {
	dir, err := os.MkdirTemp(a.DataDir, "past-")
	if err != nil {
		return fmt.Errorf("make a directory for the demo's past: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := writePast(w.sim, dir); err != nil {
		return fmt.Errorf("write the demo's past: %w", err)
	}
	secret, err := a.secret()
	if err != nil {
		return err
	}
	seal, err := ingest.NewSeal(secret)
	if err != nil {
		return err
	}
	im := &takeover.Importer{Store: s.store, Seal: seal, Log: a.Log, Now: time.Now, Prefix: demoPrefix}
	report, err := im.Import(ctx, dir)
	if err == nil && !report.OK() {
		err = errors.New("a row of the demo's past was refused")
	}
	return err
}

func writePast(sim *simulator.Simulator, dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "roster"), 0o700); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "roster", "past.csv")) //nolint:gosec // the name is ours
	if err != nil {
		return err
	}
	out := csv.NewWriter(file)
	_ = out.Write([]string{"id", "name", "dob", "county", "booking_date", "release_date", "charges", "bond_amount", "status"}) // Error tells
	given := map[string]int{}
	for b := range sim.Past(demoPast) {
		place := b.County + "-" + strconv.Itoa(b.Booked.Year())
		given[place]++
		charges := make([]string, 0, len(b.Charges))
		for _, c := range b.Charges {
			charges = append(charges, c.Description)
		}
		bond := ""
		if cents, any := b.Bond(); any {
			bond = fmt.Sprintf("%d.%02d", cents/100, cents%100)
		}
		_ = out.Write([]string{
			fmt.Sprintf("%s-%06d", place, given[place]), b.Name.LastFirst(), b.Birth.Format(time.DateOnly), simulator.CountyName(b.County),
			b.Booked.Format(time.RFC3339), b.Released.Format(time.RFC3339), strings.Join(charges, ";"), bond, "released",
		})
	}
	out.Flush()
	return errors.Join(out.Error(), file.Close())
}
