import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { App } from './app.ts';
import type { Dispatcher } from './commands.ts';

/** What every component can reach. */
export interface Services {
  readonly app: App;
  readonly commands: Dispatcher;
}

const ServicesContext = createContext<Services | undefined>(undefined);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('a component was drawn outside the page');
  return services;
}

export function useApp(): App {
  return useServices().app;
}
