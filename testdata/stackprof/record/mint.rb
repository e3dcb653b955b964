# Strikes coins: recursion, blocks, allocations, for stackprof.
#
#     ruby mint.rb MODE OUT RAW
require 'json'
require 'stackprof'

module Mint
  class Press
    def strike(depth)
      return [depth.to_s * 3] if depth < 2
      strike(depth - 1) + strike(depth - 2)
    end

    def even?(n) = n.zero? || odd?(n - 1)

    def odd?(n) = !n.zero? && even?(n - 1)
  end

  def self.count(coins)
    coins.group_by(&:length).map { |length, group| [length, group.sort.first] }.to_h
  end

  def self.work(rounds)
    press = Press.new
    rounds.times do
      count(press.strike(13))
      press.even?(60)
    end
  end
end

mode, out, raw = ARGV
profile = StackProf.run(mode: mode.to_sym, interval: mode == 'object' ? 4000 : 2000, raw: raw == 'raw', aggregate: true) do
  thread = Thread.new { Mint.work(150) }
  Mint.work(150)
  thread.join
end
File.write(out, JSON.generate(profile))
File.binwrite(out.sub('.json', '.dump'), Marshal.dump(profile))
