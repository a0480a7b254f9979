package demo

import (
	"context"
	"errors"
	"iter"
	"time"

	"rollcall/ingest"
	"rollcall/internal/simulator"
)

// saveEvery is how often the world is saved. A crash loses at most that much of its life.
const saveEvery = 20 * time.Second

// World is the simulator, running, with a source document for each of its feeds in the data directory.
type World struct {
	sim *simulator.Simulator
	// order has the sources as they are read at first: corrections first, so that links are found at once.
	order   []*ingest.Source
	foresee func(time.Duration) iter.Seq[simulator.Activity]
	stop    func()
}

// Begin starts the world where it was left, in a database that holds nothing else. It listens on a free
// loopback port, which is why the documents are written at each start. The caller must stop the world.
func (d *Demo) Begin(ctx context.Context) (*World, error) {
	if err := d.alone(ctx); err != nil {
		return nil, err
	}
	file := stateFile(d.Dir)
	state, err := simulator.Load(file)
	if err != nil {
		return nil, err
	}
	sim, err := simulator.New(simulator.Options{Seed: 1, Now: time.Now, Pace: d.Pace, Resume: state, Rosters: rosters()})
	if err != nil {
		return nil, err
	}
	// The state is saved before anything is served, since the file marks the directory as a demo's.
	if err := sim.Save(file); err != nil {
		return nil, err
	}
	listener, err := simulator.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &World{sim: sim, foresee: sim.Foresee}
	for _, feed := range sim.Feeds() {
		src, err := d.keepDocument(ctx, feed, "http://"+listener.Addr().String())
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		w.order = append(w.order, src)
	}
	orderByKind(w.order)
	// The world outlives ctx: deliveries and runs that are being finished still ask its sources.
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := sim.Serve(living, listener); err != nil {
			d.Log.ErrorContext(living, "serve invented sources", "error", err)
		}
	}()
	go d.saveWorld(living, sim)
	w.stop = func() {
		end()
		<-done
		d.save(ctx, sim)
	}
	return w, nil
}

// Stop ends the world and saves it for the next start.
func (w *World) Stop() { w.stop() }

// saveWorld saves the world now and then until ctx ends.
func (d *Demo) saveWorld(ctx context.Context, sim *simulator.Simulator) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.save(ctx, sim)
		}
	}
}

// save saves the world. A failure is logged and not fatal: the next one may succeed.
func (d *Demo) save(ctx context.Context, sim *simulator.Simulator) {
	if err := sim.Save(stateFile(d.Dir)); err != nil {
		d.Log.ErrorContext(ctx, "save the demo's world", "error", err)
	}
}
