package notifier

import "sync"

// maxBatch bounds how many inputs one statement takes.
const maxBatch = 256

// batches lets many goroutines share statements: everything asked for while one statement runs goes into the
// next together. Under load statements grow instead of queueing, and nothing waits for a timer. work returns an
// output for each input, in order. It is safe for concurrent use.
type batches[In, Out any] struct {
	work func([]In) ([]Out, error)

	mu      sync.Mutex
	waiting []asked[In, Out]
	running bool
}

// asked is an input with the channel that its caller waits on.
type asked[In, Out any] struct {
	in    In
	reply chan<- answered[Out]
}

// answered is the output of one input, or the error of its whole statement.
type answered[Out any] struct {
	out Out
	err error
}

// do returns the output for in, after the statement that it became part of.
func (b *batches[In, Out]) do(in In) (Out, error) {
	reply := make(chan answered[Out], 1)
	b.mu.Lock()
	b.waiting = append(b.waiting, asked[In, Out]{in, reply})
	start := !b.running
	b.running = true
	b.mu.Unlock()
	if start {
		go b.run()
	}
	a := <-reply
	return a.out, a.err
}

// run works until nobody waits.
func (b *batches[In, Out]) run() {
	for {
		b.mu.Lock()
		n := min(len(b.waiting), maxBatch)
		if n == 0 {
			b.running, b.waiting = false, nil
			b.mu.Unlock()
			return
		}
		now := b.waiting[:n:n]
		b.waiting = b.waiting[n:]
		b.mu.Unlock()
		in := make([]In, n)
		for i := range now {
			in[i] = now[i].in
		}
		out, err := b.work(in)
		for i := range now {
			a := answered[Out]{err: err}
			if err == nil {
				a.out = out[i]
			}
			now[i].reply <- a
		}
	}
}
