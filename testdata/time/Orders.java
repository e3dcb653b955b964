// Four threads take orders and write each into one ledger. A fifth thread closes the books now and
// then: it holds the ledger while it waits for a slow disk.
//
//   java -XX:StartFlightRecording=filename=orders.jfr,settings=orders.jfc Orders.java

import java.util.ArrayList;
import java.util.List;

public class Orders {
    static final Object ledger = new Object();
    static volatile boolean open = true;
    static double sum;

    static double price(int order) {
        double price = 0;
        for (int item = 1; item < 60_000; item++) price += Math.sqrt(order % item + 1.0);
        return price;
    }

    static void take(int worker) {
        for (int order = worker; open; order += 4) {
            double price = price(order);
            synchronized (ledger) {
                sum += price;
            }
        }
    }

    static void closeBooks() throws InterruptedException {
        synchronized (ledger) {
            writeToDisk();
        }
    }

    static void writeToDisk() throws InterruptedException {
        Thread.sleep(350);
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            int own = worker;
            workers.add(new Thread(() -> take(own), "orders " + (worker + 1)));
        }
        workers.forEach(Thread::start);
        Thread books = new Thread(() -> {
            try {
                Thread.sleep(900);
                closeBooks();
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
        }, "books");
        books.start();
        books.join();
        Thread.sleep(700);
        open = false;
        for (Thread worker : workers) worker.join();
    }
}
